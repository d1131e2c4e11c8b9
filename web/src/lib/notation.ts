/** What a game's `moves.ts` says of its notation: each pattern with what it means. */
import type { Args } from './types'

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
