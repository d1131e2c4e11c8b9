/** For the tests of the rooms: their moves in words. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { format } from './format'
import { read } from './notation'

/** The words of a game. */
export const catalogue = (game: string, language: string): Record<string, string> =>
  JSON.parse(
    readFileSync(new URL(`../../../src/ziggurat/games/${game}/text/${language}.json`, import.meta.url), 'utf8'),
  ) as Record<string, string>

/** A move in words, with seats called P1, P2, ... */
export function said(game: string, language: string, move: string): string {
  const words = catalogue(game, language)
  const { key, args } = read(game, move)
  expect(words, `${move}: ${key}`).toHaveProperty([key])
  return format(words[key]!, args, { language, lookup: (one) => words[one], seatName: (seat) => `P${seat + 1}` })
}

/** Every move has words of its own, in every language. */
export function inWordsOf(game: string, moves: string[]): void {
  describe('moves in words', () => {
    for (const language of ['en', 'hu'])
      it(`of ${game} (${language})`, () => {
        const sentences = moves.map((move) => said(game, language, move))
        for (const text of sentences) expect(text).not.toMatch(/[{}#_]/)
        expect(new Set(sentences).size).toBe(moves.length)
      })
  })
}
