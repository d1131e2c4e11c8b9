/** The tables that are not open, and whether a game on the page leaves room for other things. What watches them is loaded later (`parts/Turns.svelte`), for people who have some. */
class OtherTables {
  /** Whether there is anything to look after. */
  watched = $state(false)
  /** Whether this person has moved, or is known to play: for a newcomer nothing is asked. */
  moved = $state(false)
  /** The running tables at which I sit; null as long as nobody has looked. */
  playing = $state.raw<string[] | null>(null)
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
