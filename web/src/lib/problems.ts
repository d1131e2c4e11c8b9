/**
 * A refusal, in the reader's language where we have words for it, in the server's own words otherwise.
 * People who correct a file of numbers read both: what exactly is wrong there only the server can say.
 */
import { t, texts } from './i18n.svelte'
import { Refused } from './refused'

export function explain(error: unknown): string {
  if (!(error instanceof Refused)) return t('ui.error.unknown')
  const { code = '', detail, title, args = {} } = error.problem
  const key = `ui.error.${code}`
  if (code === 'bad_components') return `${t(key, args)} ${detail}`
  if (code && texts.has(key)) return t(key, args)
  return detail || title || t('ui.error.unknown')
}
