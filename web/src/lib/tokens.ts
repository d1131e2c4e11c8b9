/** Tokens for programs: what the server is asked. */
import { json, read, request } from './api'
import { t, texts } from './i18n.svelte'
import { explain } from './problems'
import { Refused } from './refused'
import type { MadeToken, NewToken, TokenInfo } from './wire'

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
