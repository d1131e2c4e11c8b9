/** What a game's `moves.ts` says of its notation: each pattern with what it means. */
import type { Args, Phrase } from './wire'

/** A phrase of the game's own catalogue. */
export type PhraseReading = [pattern: RegExp, key: string, args?: (...groups: string[]) => Args]

/** A place, or so many of its own widths and heights beside it; a name that ends in `*` is all that begin like it. */
export type Target = string | [place: string, right: number, down: number]

/** `Sight` is what is needed of the view. */
export interface Moment<Sight> {
  view: Sight
  seat: number
  /** Is it the move of whoever looks? */
  own: boolean
}

/**
 * Where on the board the move is made: the names of places, as pieces travel between them (`data-place`). What is not on
 * everybody's board, such as the cards of a hand, is named only for whoever looks at their own move.
 */
export type PlaceReading<Sight> = [pattern: RegExp, targets: (moment: Moment<Sight>, ...groups: string[]) => Target[]]

export interface Moves<Sight> {
  phrases: PhraseReading[]
  places: PlaceReading<Sight>[]
  /** The move in words that mean the same to everybody at the table. */
  forEverybody?: (moment: Moment<Sight>, notation: string) => string
}

export const words = (text = ''): string[] => text.split(' ').filter(Boolean)
/** "blue 5#2 green 3": pieces of two words, with the place where one of several alike lies. */
export const pairs = (text: string): string[] => text.replace(/#\d+/g, '').match(/\S+ \S+/g) ?? []

const all = import.meta.glob<Moves<unknown> | object>('../games/*/moves.ts', { import: 'default', eager: true })
export function of(game: string): Moves<unknown> | undefined {
  const found = all[`../games/${game}/moves.ts`]
  return found && 'phrases' in found ? found : undefined
}

/** What a move says, as a phrase of the game's own catalogue. */
export function read(game: string, notation: string): Phrase {
  for (const [pattern, key, args] of of(game)?.phrases ?? []) {
    const found = pattern.exec(notation)
    if (found) return { key, args: args?.(...(found.slice(1) as string[])) ?? {} }
  }
  // A single word that needs nothing more: `move.double`.
  return { key: `move.${notation.replaceAll(' ', '_')}`, args: {} }
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
