/** What the board of Alhambra answers. */
import { called, leaders, named, ranked, seats, type Asked, type Questions, type Subject } from '../../table/questions'
import type { BuildingKind, Money, View } from './wire'

const currencies = (asked: Asked<View>): Subject[] => asked.view.currencies.map((one) => named(asked, 'currency', one))

const kinds = (asked: Asked<View>): Subject[] => asked.view.kinds.map(({ kind }) => named(asked, 'building', kind))

const owners = ({ view }: Asked<View>): number[] => view.owners.map(({ seat }) => seat)
const built = (view: View, seat: number, kind: string): number =>
  view.owners.find((owner) => owner.seat === seat)!.buildings[kind as BuildingKind]

const own = ({ view, you }: Asked<View>): Money[] => view.owners.find(({ seat }) => seat === you)?.hand ?? []
const values = (hand: Money[], currency: string): number[] =>
  hand.filter((card) => card.currency === currency).map(({ value }) => value)
const sum = (all: number[]): number => all.reduce((total, one) => total + one, 0)

/** "2 towers, 1 garden" */
const buildings = ({ view, say }: Asked<View>, seat: number): string =>
  view.kinds
    .map(({ kind }) => ({ count: built(view, seat, kind), building: kind }))
    .filter(({ count }) => count)
    .map((args) => say('ask.count', args))
    .join(', ') || say('ask.none')

const listed = ({ say }: Asked<View>, cards: Money[]): string =>
  cards.length
    ? say('ask.cards', { cards: cards.map(({ currency, value }) => `${currency} ${value}`) })
    : say('ask.none')

const onSlot = ({ say }: Asked<View>, { currency, building }: View['slots'][number]): string =>
  say('ask.slot', { currency, building: building ? `${building.kind} ${building.price}` : say('label.slot_empty') })

export default {
  moves: ['took', 'bought', 'gave'],
  quiet: [],
  points: (view, seat) => view.owners.find((owner) => owner.seat === seat)!.score,
  facts: [
    {
      name: 'money',
      of: currencies,
      plain: true,
      answer: (asked, currency) => {
        const mine = values(own(asked), currency)
        const here = asked.view.slots.filter((slot) => slot.currency === currency)
        const held = asked.say('ask.money', { currency, total: sum(mine), cards: mine, count: mine.length })
        return [held, ...here.map((slot) => onSlot(asked, slot))].join('; ')
      },
    },
    {
      name: 'hand',
      own: true,
      answer: (asked) => {
        const hand = own(asked)
        const sums = asked.view.currencies.map((currency) =>
          asked.say('ask.sum', { currency, total: sum(values(hand, currency)) }),
        )
        return asked.say('ask.hand', { count: hand.length, sums: sums.join(', ') })
      },
    },
    { name: 'yard', answer: (asked) => asked.view.slots.map((slot) => onSlot(asked, slot)).join('; ') },
    {
      name: 'open',
      answer: ({ view, say }) =>
        say('ask.open', { cards: view.money.flatMap((card) => (card ? [`${card.currency} ${card.value}`] : [])) }),
    },
    {
      name: 'buy',
      own: true,
      answer: ({ legal, say }) => {
        const found = (legal as { type: string; building?: string | null }[]).flatMap(({ type, building }) =>
          type === 'buy' && building ? [building] : [],
        )
        return found.length ? say('ask.buy', { building: [...new Set(found)] }) : say('ask.buy.nothing')
      },
    },
    {
      name: 'leads',
      of: kinds,
      answer: (asked, kind) => {
        const [most, count] = leaders(asked, (seat) => built(asked.view, seat, kind), owners(asked))
        if (!most.length) return asked.say('ask.leads.nobody', { building: kind })
        return asked.say('ask.leads', { building: kind, who: most.map((seat) => called(asked, seat)), count })
      },
    },
    {
      name: 'kind',
      of: kinds,
      plain: true,
      answer: (asked, kind) =>
        asked.say('ask.kind', {
          building: kind,
          counts: ranked(asked, (seat) => built(asked.view, seat, kind), owners(asked)),
        }),
    },
    {
      name: 'player',
      of: seats,
      named: true,
      plain: true,
      answer: (asked, one) => {
        const owner = asked.view.owners.find(({ seat }) => seat === Number(one))!
        const facts = { who: called(asked, owner.seat), count: owner.cards, points: owner.score }
        const words = asked.say('ask.player', { ...facts, buildings: buildings(asked, owner.seat) })
        return owner.known?.length ? `${words}; ${asked.say('label.known.hand')}: ${listed(asked, owner.known)}` : words
      },
    },
    {
      name: 'left',
      answer: ({ view, say }) =>
        say('ask.left', { buildings: view.building_deck, money: view.money_deck, count: view.discard }),
    },
    {
      name: 'discards',
      answer: (asked) => {
        const { currencies, discards } = asked.view
        const of = (currency: Money['currency']): Money[] =>
          discards[currency].flatMap((count, at) => Array.from({ length: count }, () => ({ currency, value: at + 1 })))
        return `${asked.say('label.discard')}: ${listed(asked, currencies.flatMap(of))}`
      },
    },
    {
      name: 'scored',
      answer: ({ view, say }) => say('ask.scored', { rounds: view.rounds_scored.join(', ') || say('ask.none') }),
    },
  ],
} satisfies Questions<View>
