import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { format } from './format'
import { forEverybody, read, targets } from './moves'

const catalogue = (game: string, language: string): Record<string, string> =>
  JSON.parse(
    readFileSync(new URL(`../../../src/ziggurat/games/${game}/text/${language}.json`, import.meta.url), 'utf8'),
  ) as Record<string, string>

const MOVES: Record<string, string[]> = {
  alhambra: [
    'take blue 5',
    'take blue 5#2 green 3',
    'buy seraglio 8 blue with 8 2',
    'buy tower 7 green with 7 for neutral',
  ],
  architects: [
    'draw left',
    'draw central',
    'extra architecture right',
    'build 1 with stone glass',
    'build 3 with stone coin2',
    'claim gear gear for architecture',
    'token stack',
    'take giza',
    'extra architecture giza',
    'look giza',
    'look right',
    'keep coin',
    'wonder rhodes',
    'accept',
    'decline',
    'end',
  ],
  babel: [
    'choose zeus 2',
    'offer nothing',
    'offer nothing with trade',
    'offer ship ship mason with trade',
    'exchange camel crane',
    'accept none',
    'accept 1 3',
    'accept 2 joker for ship ship',
    'pass',
    'fail',
    'draw',
    'double',
    'triple',
    'decline',
  ],
  ginkgopolis: [
    'play blue 2 with blue 9',
    'play C with yellow 6',
    'play K',
    'play yellow 3',
    'pick red exploit',
    'take resource',
    'move west',
    'move to 0 -3',
    'shift before',
    'shift after',
    'return nothing',
    'return red 5 blue 7',
    'new hand',
  ],
}

describe('moves in words', () => {
  for (const [game, moves] of Object.entries(MOVES))
    for (const language of ['en', 'hu'])
      it(`of ${game} (${language})`, () => {
        const words = catalogue(game, language)
        const said = moves.map((move) => {
          const { key, args } = read(game, move)!
          expect(words, `${move}: ${key}`).toHaveProperty([key])
          return format(words[key]!, args, {
            language,
            lookup: (one) => words[one],
            seatName: (seat) => `P${seat + 1}`,
          })
        })
        for (const text of said) expect(text).not.toMatch(/[{}#_]/)
        expect(new Set(said).size).toBe(moves.length)
      })
  it('is a sentence in the language of the reader', () => {
    const words = catalogue('alhambra', 'hu')
    const { key, args } = read('alhambra', 'buy tower 7 green with 4 3')!
    expect(format(words[key]!, args, { language: 'hu', lookup: (one) => words[one], seatName: String })).toBe(
      'vásárlás: torony 7, fizetség: zöld 4 és zöld 3',
    )
  })
  it('has nothing for what no catalogue knows', () => {
    expect(read('go', 'D4')?.key).toBe('move.D4')
  })
})

describe('the places of a move', () => {
  const alhambra = {
    money: [
      { currency: 'blue', value: 5 },
      { currency: 'green', value: 3 },
      { currency: 'blue', value: 5 },
    ],
    slots: [{ currency: 'yellow' }, { currency: 'green' }],
  }
  it('are cards by where they lie, also when two are alike', () => {
    expect(targets('alhambra', alhambra, 0, true, 'take blue 5#3 green 3')).toEqual(['money:2', 'money:1'])
    expect(targets('alhambra', alhambra, 0, true, 'take green 3')).toEqual(['money:1'])
  })
  it('are the cards of a payment for whoever pays, and for others what is bought', () => {
    const buy = 'buy tower 7 green with 4 4'
    expect(targets('alhambra', alhambra, 0, true, buy)).toEqual(['slot:1', 'green-4-1', 'green-4-2'])
    expect(targets('alhambra', alhambra, 1, false, buy)).toEqual(['slot:1'])
  })

  const architects = {
    players: 3,
    offer: ['science', 'crafts', null],
    decks: ['giza', 'rhodes', 'olympia'].map((wonder, seat) => ({ wonder, seat })),
  }
  it('are decks from where the player sits', () => {
    expect(targets('architects', architects, 1, false, 'draw left')).toEqual(['deck:rhodes'])
    expect(targets('architects', architects, 0, true, 'draw right')).toEqual(['deck:olympia'])
    expect(targets('architects', architects, 0, true, 'extra science central')).toEqual(['deck:central'])
    expect(targets('architects', architects, 0, true, 'build 2 with wood coin2')).toEqual([
      'stage:0:2',
      'cards:wood',
      'cards:coin',
    ])
    expect(targets('architects', architects, 1, false, 'claim gear gear for crafts')).toEqual(['offer:1'])
  })
  it('are called alike by everybody', () => {
    expect(forEverybody('architects', architects, 1, 'draw right')).toBe('take giza')
    expect(forEverybody('architects', architects, 1, 'extra science left')).toBe('extra science rhodes')
    expect(forEverybody('architects', architects, 1, 'build 1 with stone glass')).toBe('build 1 with stone glass')
  })

  it('are discs, cards and offers', () => {
    const view = { players: 3, chosen: { wonder: 'zeus', space: 1 } }
    expect(targets('babel', view, 0, true, 'choose zeus 2')).toEqual(['disc:zeus:1'])
    expect(targets('babel', view, 0, true, 'offer ship ship mason with trade')).toContain('hand:mason')
    expect(targets('babel', view, 0, false, 'offer ship')).toEqual(['seat:0'])
    expect(targets('babel', view, 0, true, 'accept 2 3')).toEqual(['offer:1:*', 'offer:2:*'])
    expect(targets('babel', view, 0, true, 'accept none')).toEqual(['disc:zeus:1'])
  })

  const city = {
    players: 2,
    buildings: [
      { colour: 'red', number: 7, x: 0, y: 0 },
      { colour: 'blue', number: 2, x: 1, y: 0 },
    ],
    markers: [
      { letter: 'A', x: 0, y: 0 },
      { letter: 'L', x: 2, y: 0 },
    ],
    moving: 'A',
  }
  it('are buildings, and beside them those that are still empty', () => {
    expect(targets('ginkgopolis', city, 0, true, 'play red 7 with blue 9')).toEqual([
      'at:0,0',
      'hand:red 7',
      'tile:blue 9',
    ])
    expect(targets('ginkgopolis', city, 0, false, 'play L with blue 9')).toEqual(['marker:L'])
    expect(targets('ginkgopolis', city, 0, true, 'move north')).toEqual([['at:0,0', 0, -1]])
    expect(targets('ginkgopolis', city, 0, true, 'move to 3 1')).toEqual([['at:1,0', 2, -1]])
    expect(targets('ginkgopolis', city, 0, true, 'shift before')).toEqual(['marker:L'])
  })
  it('are those of the player, when there is nothing else to point at', () => {
    expect(targets('architects', architects, 2, false, 'end')).toEqual(['seat:2'])
    expect(targets('go', {}, 1, false, 'D4')).toEqual(['seat:1'])
  })
})
