/** What the judgements of a finished game amount to: curves, and the moves that cost most. */
import type { Frame, Judgement } from './wire'

/** By the number of the change. */
export type Judged = ReadonlyMap<number, Judgement>

/** Less than this is as likely chance as a mistake. */
export const WORTH_NAMING = 0.05
const NAMED = 8

/** The moves of a game that can be judged: nobody made the first deal. */
export const movesOf = (frames: readonly Frame[]): Frame[] => frames.filter((frame) => frame.seat !== null)

export interface Costly {
  /** Where it is among the frames. */
  at: number
  frame: Frame
  judgement: Judgement
}

export function costly(frames: readonly Frame[], judged: Judged): Costly[] {
  return frames
    .map((frame, at) => ({ at, frame, judgement: judged.get(frame.seq) }))
    .filter((one): one is Costly => (one.judgement?.cost ?? 0) >= WORTH_NAMING)
    .sort((one, other) => other.judgement.cost - one.judgement.cost)
    .slice(0, NAMED)
}

export interface Point {
  at: number
  chance: number
}

/** A seat's chance of winning at every moment that has been judged. */
export function curve(frames: readonly Frame[], judged: Judged, seat: number): Point[] {
  return frames.flatMap((frame, at) => {
    const chance = judged.get(frame.seq)?.chances[seat]
    return chance === undefined ? [] : [{ at, chance }]
  })
}

/** The chances at a moment: those of the last judged move up to it, if that is near enough to speak for it. */
export function chancesAt(frames: readonly Frame[], judged: Judged, at: number): number[] | null {
  return judged.get(frames[at]?.seq ?? -1)?.chances ?? null
}

interface Summary {
  first: number
  last: number
  low: number
  high: number
}

/** A curve in four numbers, in per cent. */
export function summary(points: readonly Point[]): Summary | null {
  if (points.length === 0) return null
  const percents = points.map(({ chance }) => Math.round(chance * 100))
  return { first: percents[0]!, last: percents.at(-1)!, low: Math.min(...percents), high: Math.max(...percents) }
}

/** Which points of a curve carry the player's mark: a few, not the same for every seat, and the last. */
export function marked(points: readonly Point[], last: number, seat: number, seats: number): Point[] {
  const step = Math.max(1, last / 4)
  const chosen: Point[] = []
  let next = (step * (seat + 0.5)) / seats
  for (const point of points) {
    if (point.at < next) continue
    chosen.push(point)
    while (next <= point.at) next += step
  }
  const end = points.at(-1)
  if (end && chosen.at(-1) !== end) chosen.push(end)
  return chosen
}
