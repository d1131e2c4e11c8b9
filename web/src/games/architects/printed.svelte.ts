/** The numbers that are printed on cards and tokens of this table: their pictures show them, also on their way. */
import type { TokenKind, View } from './view'

class Printed {
  cards = $state.raw<Record<string, number>>({})
  tokens = $state.raw<Record<string, TokenKind>>({})

  read(view: View): void {
    this.cards = view.card_points
    this.tokens = view.tokens
  }
}

export const printed = new Printed()
