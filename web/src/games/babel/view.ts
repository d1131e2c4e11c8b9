/** What the server shows of this game, and what the board makes of it. */
import type { Speak } from '../../lib/i18n.svelte'
import type { Builder, View } from './wire'

export type { Accept, Builder, Fail, Row, View, Wonder } from './wire'
export type { Choice as Step } from './wire'

export type Counts = Record<string, number>

export const sum = (counts: Counts | null | undefined): number =>
  Object.values(counts ?? {}).reduce((total, count) => total + count, 0)

/** A count of each type as a list of single cards. */
export const cardsOf = (counts: Counts | null | undefined): string[] =>
  Object.entries(counts ?? {}).flatMap(([card, count]) => Array.from({ length: count }, () => card))

/** What a disc asks for, as the log's words know it: "ship 5". */
export const needsOf = (needs: Counts): string[] => Object.entries(needs).map(([card, count]) => `${card} ${count}`)

export const same = (one: number[] | undefined, other: number[]): boolean =>
  one?.length === other.length && other.every((seat) => one.includes(seat))

/** What an action card is, and what it does; what was stored of older games does not say that. */
export function explained(say: Speak, view: View, card: string): string {
  const effect = (view.effects as View['effects'] | undefined)?.[card]
  return effect ? say('label.explained', { action: card, effect: say.phrase(effect) }) : say(`action.${card}`)
}

/** How many discs of each kind: "camel", or "crane ship" for those of two colours. */
export function discsOf(builder: Builder): [types: string[], count: number][] {
  const found = new Map<string, number>()
  for (const types of builder.discs) found.set(types.join(' '), (found.get(types.join(' ')) ?? 0) + 1)
  return [...found].map(([types, count]): [string[], number] => [types.split(' '), count])
}

/** "2 × camel, 1 × ship" */
const countWords = (say: Speak, counts: Counts | null | undefined): string =>
  Object.entries(counts ?? {})
    .filter(([, count]) => count > 0)
    .map(([card, count]) => say('label.count_of', { count, card }))
    .join(', ')

/** An offer in words, for those who do not see it. */
export function offerWords(say: Speak, { seat, offer }: Builder): string {
  if (!offer) return ''
  const title = say('label.offer_of', { seat })
  if (!offer.cards) return `${title}. ${say('label.face_down', { count: offer.count })}`
  return [
    title,
    countWords(say, offer.cards) || say('label.empty_offer'),
    offer.trade ? say('label.with_trade') : '',
    sum(offer.returned) ? say('label.returned', { cards: cardsOf(offer.returned) }) : '',
  ]
    .filter(Boolean)
    .join('. ')
}
