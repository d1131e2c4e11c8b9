/** Moves: in the words of their game, and on its board. */
import type { TableSession } from './tableSession.svelte'
import type { Choice, Description } from '../lib/wire'

/** A place, or so many of its own widths and heights from it; a name that ends in `*` is all that begin like it. */
export type Target = string | [place: string, right: number, down: number]

/** `Sight` is what is needed of the view. */
export interface Moment<Sight> {
  view: Sight
  seat: number
  /** Is it the viewer's own move? */
  own: boolean
}

/**
 * Where on the board each type of step is made: the names of places, as pieces travel between them (`data-place`). What is
 * not on everybody's board, such as the cards of a hand, is named only for the viewer's own move. `before` are
 * the steps that come before it in the move.
 */
export type Places<Sight, C extends Choice> = {
  [T in C['type']]?: (step: Extract<C, { type: T }>, moment: Moment<Sight>, before: C[]) => Target[]
}

const modules = import.meta.glob<Places<unknown, Choice>>('../games/*/moves.ts', { import: 'default', eager: true })

/** A move in the words of its game; in the mover's own words where others read another meaning ("left"). */
export function inWords(session: TableSession, seat: number, { words }: Description): string {
  return session.told(seat, words)
}

/**
 * The places of a move that are still to be touched when something is `done` already: those of its other steps, of what
 * has to be taken back, and at last the button that confirms it. Where nothing can be pointed at, that of the player. A game
 * that says nothing of places may have a button for each step.
 */
export function targets(
  game: string,
  view: unknown,
  seat: number,
  own: boolean,
  { steps }: Description,
  done: Choice[] = [],
): Target[] {
  const places = modules[`../games/${game}/moves.ts`] as Record<string, Places<unknown, Choice>[string]> | undefined
  const wrong = [...done]
  const left = steps.filter(({ action }) => {
    const at = wrong.findIndex((one) => one.action === action)
    return at < 0 || !wrong.splice(at, 1)
  })
  const of = (move: Choice[]) => (step: Choice) =>
    places
      ? (places[step.type]?.(step, { view, seat, own }, move.slice(0, move.indexOf(step))) ?? [])
      : own
        ? [`choice:${step.action}`]
        : []
  const found = [...left.flatMap(of(steps)), ...wrong.flatMap(of(done))]
  if (own && left.length < 2 && !wrong.length && steps.length) found.push(`deed:${steps.at(-1)!.action}`)
  return found.length > 0 ? [...new Set(found)] : [`seat:${seat}`]
}
