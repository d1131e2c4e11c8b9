import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { format } from './format'
import { read } from './notation'

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
