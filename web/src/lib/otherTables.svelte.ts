/** The tables that are not open. What looks after them comes later (`parts/Turns.svelte`), and only to whoever has some. */
class OtherTables {
  /** Whether there is anything to look after. */
  watched = $state(false)
  /** Whether somebody has moved, or is known to play: nothing is asked for whoever is new here. */
  moved = $state(false)
  /** The running tables at which I sit; null as long as nobody has looked. */
  playing = $state.raw<string[] | null>(null)
  /** How many other tables wait for me. */
  waiting = $state(0)

  /** Before the name of a page: how many tables wait. */
  get title(): string {
    return this.waiting ? `(${this.waiting}) ` : ''
  }
}

export const otherTables = new OtherTables()
