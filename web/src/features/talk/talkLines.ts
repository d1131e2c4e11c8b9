/** Lines of talk, as pages and single lines of them come. */
import type { SaidLine } from '../../lib/wire'

interface Lines {
  lines: SaidLine[]
  /** Whether there are lines before the first one. */
  more: boolean
}

/** Lines of both lists in their order, each once. */
export function merged(one: SaidLine[], other: SaidLine[]): SaidLine[] {
  const all = new Map([...one, ...other].map((line) => [line.at, line]))
  return [...all.values()].sort((before, after) => before.at - after.at)
}

/** What is known with the newest page: after a long absence there is a gap, and what is before it is asked for again. */
export function caughtUp(known: Lines, page: Lines): Lines {
  const last = known.lines.at(-1)?.at
  const meets = page.lines.some(({ at }) => at === last) || (last !== undefined && !page.more)
  return meets ? { lines: merged(known.lines, page.lines), more: known.more } : page
}
