/** Tokens for programs: what the server is asked. */
import { json, read, request } from '../../lib/api'
import { t, texts } from '../../lib/i18n.svelte'
import { explain } from '../../lib/problems'
import { Refused } from '../../lib/refused'
import type { MadeToken, NewToken, TokenInfo } from '../../lib/wire'

const PATH = '/api/me/tokens'

export const tokens = {
  all: () => read<TokenInfo[]>(PATH),
  make: (wish: Required<NewToken>) => json<MadeToken>(request('POST', PATH, wish)),
  end: (id: string) => request('DELETE', `${PATH}/${encodeURIComponent(id)}`),
}

/** A refusal in words. */
export function refusal(error: unknown): string {
  const key = error instanceof Refused ? `programs.error.${error.problem.code ?? ''}` : ''
  return key && texts.has(key) ? t(key) : explain(error)
}
