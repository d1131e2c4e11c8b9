/** The moves of Alhambra: what they say, and where on the board they are made. */
import { pairs, words, type Moves } from '../../lib/notation'

interface Sight {
  money?: ({ currency: string; value: number } | null)[]
  slots?: { currency: string }[]
}

export default {
  phrases: [
    [/^take (.+)$/, 'menu.take', (cards) => ({ cards: pairs(cards!) })],
    [
      /^buy (\S+ \d+) (\S+) with ([\d ]+?)( for neutral)?$/,
      'move.buy',
      (building, currency, cards, neutral) => ({
        building: building!,
        cards: words(cards).map((value) => `${currency} ${value}`),
        neutral: neutral ? 1 : 0,
      }),
    ],
  ],
  places: [
    [
      /^take (.+)$/,
      ({ view }, list) => {
        const open = (view.money ?? []).map((card) => card && `${card.currency} ${card.value}`)
        return [...list!.matchAll(/([a-z]+ \d+)(?:#(\d))?/g)].map(([, card, place]) => {
          const at = place ? Number(place) - 1 : open.indexOf(card!)
          open[at] = null
          return `money:${at}`
        })
      },
    ],
    [
      /^buy \S+ \d+ (\S+)(?: with ([\d ]+))?/,
      ({ view, own }, currency, paid) => {
        const seen: Record<string, number> = {}
        const hand = words(paid).map((value) => `${currency}-${value}-${(seen[value] = (seen[value] ?? 0) + 1)}`)
        return [`slot:${view.slots?.findIndex((slot) => slot.currency === currency)}`, ...(own ? hand : [])]
      },
    ],
  ],
} satisfies Moves<Sight>
