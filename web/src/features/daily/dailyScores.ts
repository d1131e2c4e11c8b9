/** Days, and how points are counted for a picture: what needs no page. */

/** Days are those of UTC, wherever the reader is. */
export const moment = (day: string): number => Date.parse(`${day}T00:00:00Z`)

export const shifted = (day: string, by: number): string =>
  new Date(moment(day) + by * 86_400_000).toISOString().slice(0, 10)

export interface Bar {
  from: number
  to: number
  people: number
}

const MOST_BARS = 16
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]

/** How many people have so many points, in steps of equal width: few enough to be seen on a phone. */
export function bars(points: [number, number][]): Bar[] {
  if (points.length === 0) return []
  const least = points[0]![0]
  const most = points.at(-1)![0]
  const step = STEPS.find((one) => Math.floor(most / one) - Math.floor(least / one) < MOST_BARS) ?? most - least + 1
  const first = Math.floor(least / step)
  const found = Array.from({ length: Math.floor(most / step) - first + 1 }, (_, at) => ({
    from: (first + at) * step,
    to: (first + at) * step + step - 1,
    people: 0,
  }))
  for (const [one, people] of points) found[Math.floor(one / step) - first]!.people += people
  return found
}

/** Of a hundred others, how many have fewer points; who has as many counts half. */
export function better(points: [number, number][], mine: number): { percent: number; others: number } {
  let fewer = 0
  let all = -1
  for (const [one, people] of points) {
    all += people
    fewer += one < mine ? people : one === mine ? (people - 1) / 2 : 0
  }
  return { percent: all > 0 ? Math.round((100 * fewer) / all) : 0, others: Math.max(0, all) }
}
