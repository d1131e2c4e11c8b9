/** The words that a part of the page alone says, such as the lessons: loaded when it is opened. */
import { HOUSE, texts } from './i18n.svelte'

/** Loads what a part says in general and about a game, with the words of the game; `t` and its speaker know it then. */
export async function need(part: string, game?: string): Promise<void> {
  const names = game ? [game, `${game}/${part}`] : []
  await Promise.all([`${HOUSE}/${part}`, ...names].map((name) => texts.need(name)))
}
