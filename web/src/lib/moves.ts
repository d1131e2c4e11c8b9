/** Moves of the notation: in the words of their game, and on its board. */
import type { Moves, Target } from './notation'
import type { Room } from './room.svelte'
import type { Phrase } from './types'

const modules = import.meta.glob<Moves<unknown>>('../games/*/moves.ts', { import: 'default', eager: true })
const of = (game: string): Moves<unknown> | undefined => modules[`../games/${game}/moves.ts`]

/** What a move says, as a phrase of the game's own catalogue. */
export function read(game: string, notation: string): Phrase {
  for (const [pattern, key, args] of of(game)?.phrases ?? []) {
    const found = pattern.exec(notation)
    if (found) return { key, args: args?.(...(found.slice(1) as string[])) ?? {} }
  }
  // A single word that needs nothing more: `move.double`.
  return { key: `move.${notation.replaceAll(' ', '_')}`, args: {} }
}

/** In the words of the game, where its catalogue has some; otherwise as it is written. */
export function inWords(room: Room, notation: string): string {
  const phrase = read(room.game, notation)
  return room.say.has(phrase.key) ? room.say.phrase(phrase) : notation
}

/** A move in words that mean the same to everybody at the table: a deck that is called after where it lies for one. */
export function forEverybody(game: string, view: unknown, seat: number, notation: string): string {
  return of(game)?.forEverybody?.({ view, seat, own: false }, notation) ?? notation
}

/** The places of a move; where nothing of it can be pointed at, that of the player. */
export function targets(game: string, view: unknown, seat: number, own: boolean, notation: string): Target[] {
  for (const [pattern, find] of of(game)?.places ?? []) {
    const found = pattern.exec(notation)
    if (!found) continue
    const all = find({ view, seat, own }, ...(found.slice(1) as string[]))
    if (all.length > 0) return [...new Set(all)]
  }
  return [`seat:${seat}`]
}
