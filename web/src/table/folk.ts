/** What the pages about people have in common: their words, and refusals in words. */
import { words as later } from '../lib/catalogue'
import { t, texts } from '../lib/i18n.svelte'
import { need } from '../lib/parts'
import { explain } from '../lib/problems'
import { Refused } from '../lib/refused'

export const words = async (): Promise<void> => void (await Promise.all([need('folk'), later()]))

export function refusal(error: unknown): string {
  const problem = error instanceof Refused ? error.problem : null
  const key = `folk.error.${problem?.code ?? ''}`
  return problem && texts.has(key) ? t(key, problem.args) : explain(error)
}
