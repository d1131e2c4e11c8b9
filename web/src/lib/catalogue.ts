/** The words of what few people open, or only later: no part of what a page loads at once. From then on `t` knows them. */
import { LATER, texts } from './i18n.svelte'

/** Loads them, unless they are there. */
export const words = (): Promise<void> => texts.need(LATER)
