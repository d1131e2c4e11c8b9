/** Choices in the words of their game. */
import type { Room } from './room.svelte'
import type { Args, Choice, Phrase } from './wire'

/** The words of a choice, as its game names it: the text `move.<type>` with its fields for the placeholders. */
export function wordsOf({ action: _action, notation: _notation, type, ...fields }: Choice): Phrase {
  return { key: `move.${type}`, args: fields as Args }
}

/** What a seat does, in words: in its own where they differ from those for everybody. */
export function told(room: Room, seat: number, words: Phrase): string {
  const own = `${words.key}.own`
  return seat === room.you && room.say.has(own) ? room.say(own, words.args) : room.say.phrase(words)
}
