import { written } from '../lib/kept'

/** The tables that are not open, and whether a game on the page leaves room for other things. What watches them is loaded later (`table/Turns.svelte`), for people who have some. */
class OtherTables {
  /** How high what is one's own was on the first page, in pixels, if there was anything (`table/ownPlace.ts`). */
  own = written('ziggurat.own') ?? ''
  /** Whether there is anything to look after. */
  watched = $state(!!this.own)
  /** Whether this person has moved, or is known to play: for a newcomer nothing is asked. */
  moved = $state(!!this.own)
  /** The tables at which I sit, or am asked to, that are not over; null as long as nobody has looked. */
  going = $state.raw<string[] | null>(null)
  /** Whether a game is played on this page: at a table, in a lesson, in a riddle. */
  inGame = $state(false)
  /** How many other tables wait for me. */
  waiting = $state(0)

  /** Before the name of a page: how many tables wait. */
  get title(): string {
    return this.waiting ? `(${this.waiting}) ` : ''
  }
}

export const otherTables = new OtherTables()
