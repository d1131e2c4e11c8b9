/** Choices in the words of their game. */
import type { Args, Choice, Phrase } from '../lib/wire'

/** The words of a choice, as its game names it: the text `move.<type>` with its fields for the placeholders. */
export function wordsOf({ action: _action, notation: _notation, type, ...fields }: Choice): Phrase {
  return { key: `move.${type}`, args: fields as Args }
}
