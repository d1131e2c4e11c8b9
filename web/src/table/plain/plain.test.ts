import { describe, expect, it } from 'vitest'
import { format, sentence } from '../../lib/format'
import type { Speak } from '../../lib/i18n.svelte'
import { briefOf, choiceOf, countOf, fieldsOf, grouped, labelOf, questions, showsOf, spelled, wordOf } from './plain'
import type { Field } from './plain'
import type { Args, Choice, Phrase } from '../../lib/wire'

const NAMES = ['Ada', 'Béla', 'Cili']
const name = (seat: number): string => NAMES[seat] ?? 'nobody'

/** Somebody who knows these words, and reads what there are none for. */
function speaker(words: Record<string, string>): Speak {
  const spell = (phrase: Phrase): string => spelled(say, name, phrase)
  const reader = { language: 'en', lookup: (key: string) => words[key], seatName: name, spell }
  const say: Speak = Object.assign((key: string, args: Args = {}) => sentence({ key, args }, reader), {
    phrase: (phrase: Phrase) => sentence(phrase, reader),
    has: (key: string) => key in words,
  })
  return say
}
const mute = speaker({})
const choice = (type: string, fields: object, action = 0): Choice =>
  ({ action, type, notation: `${type} ${Object.values(fields).join(' ')}`, ...fields }) as Choice
const names = (fields: Field[]): string[] => fields.map((field) => field.name)

const VIEW = {
  game: 'go',
  players: 2,
  seat: 0,
  actors: [1],
  turn: 1,
  finished: false,
  winners: [],
  start_seat: 1,
  stones_left: 40,
  open: ['blue 5', null],
  prices: { red: 3, blue: 0 },
  ending: true,
  decks: [
    { seat: 0, left: 3 },
    { seat: 1, left: 4 },
  ],
  seats: [
    { seat: 0, score: 7, captured: 2, hand: { 3: 1, 12: 2 } },
    { seat: 1, score: 0, captured: 0, hand: null },
    { seat: 2, score: 1, captured: 5, hand: null },
  ],
}

describe('what a view shows', () => {
  const shows = showsOf(VIEW, 2)

  it('is the table, but for what the page says otherwise', () => {
    expect(names(shows.table)).toEqual(['start_seat', 'stones_left', 'open', 'prices', 'ending'])
    expect(shows.actors).toEqual([1])
  })
  it('is what every seat has, and a figure of the game too', () => {
    expect(shows.seats.map(({ seat, points }) => [seat, points])).toEqual([
      [0, 7],
      [1, 0],
      [2, 1],
    ])
    expect(names(shows.seats[0]!.fields)).toEqual(['captured', 'hand', 'decks'])
  })
  it('is nothing of what is hidden', () => {
    expect(names(shows.seats[1]!.fields)).toEqual(['captured', 'decks'])
  })
  it('tells seats, counts and what holds from numbers', () => {
    const of = (name: string): unknown => shows.table.find((field) => field.name === name)!.value
    expect(of('start_seat')).toEqual({ is: 'seats', seats: [1] })
    expect(of('prices')).toEqual({ is: 'counts', counts: [['red', 3]] })
    expect(of('ending')).toEqual({ is: 'true' })
    expect(of('open')).toEqual({ is: 'several', all: ['blue 5', null] })
  })
  it('has a place for everybody, also before there is a view', () => {
    expect(showsOf(null, 2)).toEqual({
      actors: null,
      table: [],
      seats: [0, 1].map((seat) => ({ seat, points: null, fields: [] })),
    })
  })
  it('does not take any list for that of the players', () => {
    const shows = showsOf(
      {
        pairs: [
          { seat: 0, n: 1 },
          { seat: 0, n: 2 },
        ],
        dice: [3, 4],
      },
      2,
    )
    expect(names(shows.table)).toEqual(['pairs', 'dice'])
    expect(shows.seats.flatMap(({ fields }) => fields)).toEqual([])
  })
})

describe('words', () => {
  it('of a field are those of the game, or its name', () => {
    expect(labelOf(mute, 'stones_left')).toBe('Stones left')
    expect(labelOf(speaker({ 'field.stones_left': 'Kövek' }), 'stones_left')).toBe('Kövek')
  })
  it('of a token are those of the game for the field or the one around it', () => {
    const say = speaker({ 'colour.blue': 'azure', 'stone.big': 'large' })
    expect(wordOf(say, ['colour'], 'blue 5')).toBe('azure 5')
    expect(wordOf(say, ['kind', 'stones'], 'big')).toBe('large')
    expect(wordOf(say, ['kind'], 'left_over')).toBe('left over')
    expect(wordOf(say, ['kind'], null)).toBe('–')
    const everywhere = speaker({ 'word.blue': 'sky', 'colour.blue': 'azure' })
    expect([wordOf(everywhere, ['hat'], 'blue 5'), wordOf(everywhere, ['colour'], 'blue')]).toEqual(['sky 5', 'azure'])
    expect(countOf(everywhere, 'hand', 'blue', 2)).toBe('Sky 2')
  })
  it('of a small struct need no names of fields', () => {
    expect(briefOf(mute, 'open', fieldsOf({ currency: 'blue', building: { kind: 'tower', price: 9 } }))).toBe(
      'blue tower 9',
    )
    expect(briefOf(mute, 'light', fieldsOf({ of: 'x', first: 2, second: 5 }))).toBeNull()
  })
  it('of counts say what is counted, and numbers how often', () => {
    expect(countOf(mute, 'hand', 'wood', 2)).toBe('Wood 2')
    expect(countOf(mute, 'hand', '12', 1)).toBe('12')
    expect(countOf(mute, 'hand', '12', 2)).toBe('2 × 12')
  })
  it('of a choice are those of the game, or its notation', () => {
    const put = choice('put', { x: 3, y: 4 })
    expect(choiceOf(mute, put)).toBe('Put 3 4')
    expect(choiceOf(speaker({ 'move.put': 'a stone on {x}/{y}' }), put)).toBe('A stone on 3/4')
  })
  it('of an event say who, what and how', () => {
    expect(mute('log.took', { seat: 1, cards: ['blue 5', 'red 2'], open: true, last: false })).toBe(
      'Béla: took (cards blue 5 red 2, open).',
    )
    expect(mute('log.game_over', { seat: null })).toBe('Game over.')
  })
  it('of a phrase in a sentence are its last one and its arguments', () => {
    const say = speaker({ 'why.than': 'better than {move}' })
    expect(say('why.than', { move: { key: 'move.lay', args: { card: 5 } } })).toBe('better than lay 5')
  })
  it('of the house stay keys where they are missing: nobody hides a mistake', () => {
    const reader = { language: 'en', lookup: () => undefined, seatName: name }
    expect(sentence({ key: 'ui.none', args: {} }, reader)).toBe('ui.none')
    expect(format('{what}', { what: { key: 'ui.none', args: {} } }, reader)).toBe('ui.none')
  })
})

describe('choices', () => {
  const parts = (all: Choice[]): [string, string, [unknown, number[]][]][] =>
    grouped(all).map(({ type, by, parts }) => [
      type,
      by,
      parts.map(([value, some]) => [value, some.map(({ action }) => action)]),
    ])
  it('stand by their types, in the order in which they come', () => {
    const all = [choice('put', { x: 1 }, 1), choice('pass', {}, 2), choice('put', { x: 2 }, 3)]
    expect(parts(all)).toEqual([
      ['put', '', [[null, [1, 3]]]],
      ['pass', '', [[null, [2]]]],
    ])
  })
  it('are parted by their first field that tells some apart, where they are many', () => {
    const bids = (most: number): Choice[] =>
      Array.from({ length: most }, (_, at) => {
        const fields = { round: 1, count: 2 + Math.floor(at / 6), face: `face ${at % 6}` }
        return choice('bid', fields, at)
      })
    expect(parts(bids(12)).map(([, by, of]) => [by, of.length])).toEqual([['', 1]])
    expect(parts(bids(15))).toEqual([
      [
        'bid',
        'count',
        [
          [2, [0, 1, 2, 3, 4, 5]],
          [3, [6, 7, 8, 9, 10, 11]],
          [4, [12, 13, 14]],
        ],
      ],
    ])
  })
  it('stay together where no field tells some of many apart', () => {
    const cards = Array.from({ length: 20 }, (_, at) => choice('lay', { card: at, beside: [at % 2] }, at))
    expect(parts(cards).map(([, by, of]) => [by, of.length])).toEqual([['', 1]])
  })
})

describe('questions', () => {
  it('find the points in any view', () => {
    expect([0, 1, 5].map((seat) => questions.points(VIEW, seat))).toEqual([7, 0, null])
  })
})

/** Moments of games as pages were told them (`tests/games/asked.py`). */
const moments = import.meta.glob<{ view: Record<string, unknown>; seats: number[]; legal: Choice[] }[]>(
  '../../../../tests/games/*/asked.json',
  { import: 'default', eager: true },
)
describe('every game there is', () => {
  it.each(Object.entries(moments))('can be shown: %s', (_, all) => {
    expect(all.length).toBeGreaterThan(0)
    for (const { view, seats, legal } of all) {
      const shows = showsOf(view, seats.length)
      expect(shows.seats.length).toBeGreaterThanOrEqual(seats.length)
      expect(shows.seats.every(({ fields }) => fields.length > 0)).toBe(true)
      expect(shows.actors).toEqual(view.actors)
      expect(legal.map((one) => choiceOf(mute, one).length).every((length) => length > 0)).toBe(true)
    }
  })
})
