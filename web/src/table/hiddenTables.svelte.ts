/** The tables that are over and that this browser does not show any more. */
import { keep, recall } from '../lib/kept'

const KEY = 'ziggurat.hidden'
/** The oldest are forgotten: the list of tables is shorter. */
const MOST = 300

function read(): string[] {
  const stored = recall<unknown>(KEY, [])
  return Array.isArray(stored) ? stored.filter((id): id is string => typeof id === 'string') : []
}

class HiddenTables {
  #ids = $state.raw(read())

  has(id: string): boolean {
    return this.#ids.includes(id)
  }

  /** Hides a table, or shows it again. */
  turn(id: string): void {
    this.#ids = this.has(id) ? this.#ids.filter((other) => other !== id) : [...this.#ids, id].slice(-MOST)
    keep(KEY, this.#ids)
  }
}

export const hidden = new HiddenTables()
