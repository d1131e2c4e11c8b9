/** The moves of Tower of Babel: what they say, and where on the board they are made. */
import { words, type Moves } from '../../lib/notation'

interface Sight {
  chosen?: { wonder: string; space: number } | null
}

const seats = (text: string): number[] => words(text).map((seat) => Number(seat) - 1)

export default {
  phrases: [
    [/^choose (\S+) (\d)$/, 'move.choose', (wonder, n) => ({ wonder: wonder!, n: Number(n) })],
    [/^offer nothing$/, 'move.offer_nothing'],
    [/^offer nothing with trade$/, 'move.offer_trade'],
    [/^offer (.+?)( with trade)?$/, 'move.offer', (cards, trade) => ({ cards: words(cards), trade: trade ? 1 : 0 })],
    [/^exchange (.+)$/, 'move.exchange', (cards) => ({ cards: words(cards) })],
    [
      /^accept (?:none|([\d ]+?))(?: joker for (.+))?$/,
      'move.accept',
      // A Joker stands for two cards.
      (others, cards) => ({ seats: seats(others ?? ''), jokers: words(cards).length / 2 }),
    ],
    [/^pass$/, 'move.pass'],
    [/^fail$/, 'menu.fail'],
  ],
  places: [
    [/^choose (\S+) (\d)$/, (_, wonder, space) => [`disc:${wonder}:${Number(space) - 1}`]],
    [/^(?:offer|exchange) (.+)$/, ({ own }, list) => (own ? words(list).map((card) => `hand:${card}`) : [])],
    [
      /^accept ([\d ]+|none)/,
      ({ view }, others) =>
        others === 'none'
          ? [`disc:${view.chosen?.wonder}:${view.chosen?.space}`]
          : seats(others).map((seat) => `offer:${seat}:*`),
    ],
    [/^fail$/, ({ view }) => [`disc:${view.chosen?.wonder}:${view.chosen?.space}`]],
    [/^pass$/, () => ['deck']],
    [/^(double|draw|triple)$/, ({ seat }) => [`actions:${seat}`]],
  ],
} satisfies Moves<Sight>
