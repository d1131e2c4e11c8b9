/** What two windows made of one text, joined: whatever either of them added is in it. */

interface Change {
  /** Which part of the text of before is another one now. */
  from: number
  to: number
  text: string
}

function changeOf(before: string, now: string): Change {
  const least = Math.min(before.length, now.length)
  let from = 0
  while (from < least && before[from] === now[from]) from += 1
  let end = 0
  while (end < least - from && before.at(-1 - end) === now.at(-1 - end)) end += 1
  return { from, to: before.length - end, text: now.slice(from, now.length - end) }
}

const below = (one: string, other: string): string =>
  !one || !other || one.endsWith('\n') || other.startsWith('\n') ? one + other : `${one}\n${other}`

export function merged(before: string, mine: string, theirs: string): string {
  if (mine === theirs || theirs === before) return mine
  if (mine === before) return theirs
  const [one, other] = [changeOf(before, mine), changeOf(before, theirs)]
  const [first, last] =
    one.from < other.from || (one.from === other.from && one.to <= other.to) ? [one, other] : [other, one]
  // Both wrote at the same place, or over each other's: one below the other, unless one has gone on from the other.
  if (first.to > last.from || first.from === last.from) {
    if (mine.includes(theirs)) return mine
    if (theirs.includes(mine)) return theirs
    if (first.to > last.from) return below(theirs, mine)
    return before.slice(0, first.from) + below(other.text, one.text) + before.slice(Math.max(one.to, other.to))
  }
  return (
    before.slice(0, first.from) + first.text + before.slice(first.to, last.from) + last.text + before.slice(last.to)
  )
}
