/** The tables that are over and that this browser does not show any more. */
const KEY = 'ziggurat.hidden'
/** The oldest are forgotten: the list of tables is shorter. */
const MOST = 300

function read(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(stored) ? stored.filter((id): id is string => typeof id === 'string') : []
  } catch {
    // Private windows may refuse storage; then all are shown.
    return []
  }
}

class HiddenTables {
  #ids = $state.raw(read())

  has(id: string): boolean {
    return this.#ids.includes(id)
  }

  /** Hides a table, or shows it again. */
  turn(id: string): void {
    this.#ids = this.has(id) ? this.#ids.filter((other) => other !== id) : [...this.#ids, id].slice(-MOST)
    try {
      localStorage.setItem(KEY, JSON.stringify(this.#ids))
    } catch {
      // See read().
    }
  }
}

export const hidden = new HiddenTables()
