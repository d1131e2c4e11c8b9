/** What the judgements of a finished game amount to: curves, and the moves that cost most. */
import type { Moment } from '../../table/tableSession.svelte'
import type { Judgement } from '../../lib/wire'

/** By the number of the change. */
export type Judged = ReadonlyMap<number, Judgement>

/** Less than this is as likely chance as a mistake. */
export const WORTH_NAMING = 0.05
const NAMED = 8

/** The moves of a game that can be judged: nobody made the first deal. */
export const movesOf = (frames: readonly Moment[]): Moment[] => frames.filter((frame) => frame.seat !== null)

export interface Costly {
  /** Where it is among the frames. */
  at: number
  frame: Moment
  judgement: Judgement
}

export function costly(frames: readonly Moment[], judged: Judged): Costly[] {
  return frames
    .map((frame, at) => ({ at, frame, judgement: judged.get(frame.seq) }))
    .filter((one): one is Costly => (one.judgement?.cost ?? 0) >= WORTH_NAMING)
    .sort((one, other) => other.judgement.cost - one.judgement.cost)
    .slice(0, NAMED)
}

/** A chance at a moment, and between what it lies, 95 times of 100. */
export interface Point {
  at: number
  chance: number
  low: number
  high: number
}

/** What was played on from a moment: the part of the games that every seat won, and how wrong that may be. */
interface Sample {
  at: number
  games: number
  chances: number[]
  variance: number
}

/** What is known of a moment: everybody's chance, with one error for all. */
interface State {
  chances: number[]
  variance: number
  /** The square of the step to the next moment, as far as it is known. */
  step: number
}

const mean = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0) / numbers.length
const Z2 = 1.96 ** 2
/** Degrees of freedom of steps and errors: now and then one is far larger than the others (Student's t). */
const TAILS = 3
const ROUNDS = 40

/** The moments in order and back again, so that each knows all judgements; and by how much the next one may differ. */
function smooth(samples: readonly Sample[], errors: readonly number[], steps: readonly number[]): State[] {
  const states: State[] = []
  samples.forEach(({ chances }, i) => {
    const last = states[i - 1]
    const before = last ? last.variance + steps[i - 1]! : Infinity
    const gain = last ? before / (before + errors[i]!) : 1
    states.push({
      chances: chances.map((chance, seat) => (1 - gain) * (last?.chances[seat] ?? 0) + gain * chance),
      variance: gain * errors[i]!,
      step: 0,
    })
  })
  for (let i = states.length - 2; i >= 0; i--) {
    const [here, next] = [states[i]!, states[i + 1]!]
    const before = here.variance + steps[i]!
    const gain = here.variance / before
    const chances = here.chances.map((chance, seat) => chance + gain * (next.chances[seat]! - chance))
    const variance = here.variance + gain ** 2 * (next.variance - before)
    const apart = mean(chances.map((chance, seat) => (next.chances[seat]! - chance) ** 2))
    states[i] = { chances, variance, step: apart + next.variance + variance - 2 * gain * next.variance }
  }
  return states
}

/**
 * What all judgements together say of each moment: the chances go from move to move by steps of their own, which are seen
 * with errors (the local level model; Kalman's filter with the smoother of Rauch, Tung and Striebel). How large both are
 * is what makes the judgements most likely (EM); each step and error also has a size of its own, so that one move that
 * decides the game does not make all others count for little.
 */
function fitted(samples: readonly Sample[]): State[] {
  const free = Math.max(1, samples[0]!.chances.length - 1)
  const weight = (ratio: number): number => (TAILS + free) / (TAILS + free * ratio)
  const gaps = samples.slice(1).map(({ at }, i) => at - samples[i]!.at)
  let [excess, change] = [1, 0.02 ** 2]
  let errors = samples.map(({ variance }) => variance)
  let steps = gaps.map((gap) => change * gap)
  let states = smooth(samples, errors, steps)
  for (let round = 0; round < ROUNDS && gaps.length; round++) {
    const moved = gaps.map((gap, i) => states[i]!.step / gap)
    const missed = samples.map(({ chances, variance }, i) => {
      const { chances: known, variance: doubt } = states[i]!
      return (mean(chances.map((chance, seat) => (chance - known[seat]!) ** 2)) + doubt) / variance
    })
    const trust = moved.map((one) => weight(one / change))
    const belief = missed.map((one) => weight(one / excess))
    change = Math.max(1e-7, mean(moved.map((one, i) => one * trust[i]!)))
    // Luck alone makes errors of 1; judgements differ by more, since each is made from what one seat could know.
    excess = Math.max(1, mean(missed.map((one, i) => one * belief[i]!)))
    steps = gaps.map((gap, i) => (change * gap) / trust[i]!)
    errors = samples.map(({ variance }, i) => (variance * excess) / belief[i]!)
    states = smooth(samples, errors, steps)
  }
  return states
}

/** The score interval of Wilson, for a share of so many games. */
function interval(chance: number, games: number): { low: number; high: number } {
  const middle = chance + Z2 / games / 2
  const half = Math.sqrt((Z2 / games) * (chance * (1 - chance) + Z2 / games / 4))
  const whole = 1 + Z2 / games
  return { low: Math.max(0, (middle - half) / whole), high: Math.min(1, (middle + half) / whole) }
}

/**
 * Everybody's chance of winning at every moment that has been judged: of every seat a curve.
 *
 * A judgement comes from so few games that it is wrong by several per cent, and a curve of them would jump. The end of a
 * finished game is no judgement: it is known who has won.
 */
export function curves(frames: readonly Moment[], judged: Judged, winners: readonly number[] | null = null): Point[][] {
  const samples = frames.flatMap((frame, at): Sample[] => {
    const judgement = judged.get(frame.seq)
    if (!judgement) return []
    const { games, chances } = judgement
    // A player without a win might win the next game: half a game for everybody (the prior of Jeffreys).
    const parts = chances.map((chance) => (chance * games + 0.5) / (games + chances.length / 2))
    return [{ at, games, chances, variance: mean(parts.map((part) => part * (1 - part))) / games }]
  })
  if (!samples.length) return []
  const states = fitted(samples)
  return samples[0]!.chances.map((_, seat) =>
    states.map(({ chances, variance }, i) => {
      const chance = Math.min(1, Math.max(0, chances[seat]!))
      const { at, games } = samples[i]!
      if (winners?.length && at === frames.length - 1) {
        const share = winners.includes(seat) ? 1 / winners.length : 0
        return { at, chance: share, low: share, high: share }
      }
      // As if so many games had been played; again, nothing is ever quite certain.
      const spread = mean(chances.map((one) => Math.max(one * (1 - one), 0.5 / games)))
      return { at, chance, ...interval(chance, Math.max(1, spread / variance)) }
    }),
  )
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
