/** Moves of the notation in the words of the game, where its catalogue has some; otherwise as they are written. */
import { read } from './notation'
import type { Room } from './room.svelte'

export function inWords(room: Room, notation: string): string {
  const phrase = read(room.game, notation)
  return phrase && room.say.has(phrase.key) ? room.say.phrase(phrase) : notation
}
