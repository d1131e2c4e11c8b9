/** What the board of Architects answers. */
import { called, named, ranked, seats, type Asked, type Questions, type Subject } from '../../table/questions'
import type { Builder, View, WonderDeck } from './wire'

const of = (view: View, seat: number): Builder => view.builders.find((one) => one.seat === seat)!
const cardsOf = ({ say }: Asked<View>, cards: Record<string, number>): string =>
  Object.entries(cards)
    .filter(([, count]) => count)
    .map(([card, count]) => say('label.count_of', { card, count }))
    .join(', ') || say('ask.none')

/** Red ones are counted as shields. */
const cards = (asked: Asked<View>): Subject[] =>
  Object.keys(asked.view.card_points)
    .filter((card) => !card.startsWith('red'))
    .map((card) => named(asked, 'card', card))

/** What lies on a deck, and how many cards it has. */
const deck = ({ say }: Asked<View>, name: string, left: number, top: string | null): string =>
  top ? say('ask.deck', { deck: name, card: top, left }) : say('ask.deck.closed', { deck: name, left })

const decks = (asked: Asked<View>, all: WonderDeck[]): string[] => {
  const { left, seen, known_by } = asked.view.central
  const central = deck(asked, 'central', left, seen)
  return [
    ...all.map(({ wonder, left, top }) => deck(asked, wonder, left, top)),
    known_by.length ? `${central}, ${asked.say('label.lookers', { seats: known_by })}` : central,
  ]
}

export default {
  moves: ['took', 'built', 'claimed', 'granted', 'passed'],
  quiet: ['deck_top', 'saw_cards', 'peeked'],
  points: (view, seat) => of(view, seat).score,
  facts: [
    {
      name: 'hand',
      own: true,
      answer: (asked) => `${asked.say('ask.cards')}: ${cardsOf(asked, of(asked.view, asked.you!).cards)}`,
    },
    {
      name: 'card',
      of: cards,
      plain: true,
      answer: (asked, card) =>
        asked.say('ask.card', { card, counts: ranked(asked, (seat) => of(asked.view, seat).cards[card] ?? 0) }),
    },
    {
      name: 'decks',
      answer: (asked) => {
        const near = asked.you === null ? [] : of(asked.view, asked.you).decks
        const mine = near.map((name) => asked.view.decks.find(({ wonder }) => wonder === name)!)
        return decks(asked, near.length ? mine : asked.view.decks).join('; ')
      },
    },
    { name: 'top', answer: (asked) => decks(asked, asked.view.decks).join('; ') },
    {
      name: 'left',
      answer: ({ view, say }) => {
        const count = view.decks.reduce((sum, { left }) => sum + left, view.central.left)
        const gone = Object.values(view.discard).reduce((sum, one) => sum + one, 0)
        return say('ask.left', { count, gone, tokens: view.stack })
      },
    },
    { name: 'discards', answer: (asked) => `${asked.say('label.discard')}: ${cardsOf(asked, asked.view.discard)}` },
    {
      name: 'tally',
      of: seats,
      answer: (asked, one) => {
        const { seat, tally } = of(asked.view, Number(one))
        const { total, ...parts } = tally
        const each = Object.entries(parts).map(([part, points]) => `${asked.say(`tally.${part}.short`)} ${points}`)
        return `${called(asked, seat)}: ${total} (${each.join(', ')})`
      },
    },
    {
      name: 'stage',
      own: true,
      answer: ({ view, you, say }) => {
        const { available, built, wonder } = of(view, you!)
        const next = available.map((stage) => say('ask.stage.cost', { stage, ...view.costs[built.length]! }))
        return say('ask.stage', { wonder: wonder ?? '', count: built.length, next: next.join(', ') || say('ask.none') })
      },
    },
    { name: 'stages', answer: (asked) => ranked(asked, (seat) => of(asked.view, seat).built.length) },
    { name: 'shields', answer: (asked) => ranked(asked, (seat) => of(asked.view, seat).shields) },
    {
      name: 'battle',
      answer: ({ view: { conflict }, say }) =>
        conflict.battle
          ? say('label.battle_at_end')
          : say('label.conflict_tokens', { turned: conflict.turned, tokens: conflict.tokens }),
    },
    {
      name: 'tokens',
      answer: ({ view, say }) => {
        const open = view.offer.flatMap((token) => (token ? [say(`token.${token}`)] : []))
        return `${open.join(', ') || say('ask.none')}; ${say('label.stack_left', { count: view.stack })}`
      },
    },
    {
      name: 'cat',
      answer: (asked) => {
        const { cat } = asked.view
        return cat === null ? asked.say('label.cat_free') : asked.say('ask.cat', { who: called(asked, cat) })
      },
    },
    {
      name: 'player',
      of: seats,
      named: true,
      plain: true,
      answer: (asked, one) => {
        const { seat, score, built, shields, military, cards, tokens } = of(asked.view, Number(one))
        const counts = { points: score, count: built.length, shields, won: military }
        const have = tokens.map((token) => asked.say(`token.${token}`))
        return [
          asked.say('ask.player', { who: called(asked, seat), ...counts, cards: cardsOf(asked, cards) }),
          ...have,
        ].join(', ')
      },
    },
  ],
} satisfies Questions<View>
