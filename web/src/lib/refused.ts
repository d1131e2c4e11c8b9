/** A refusal of the server, with its problem document. */
import type { ProblemDocument } from './wire'

/** What is known of a refusal; one that did not come from the server has less to tell. */
export type Problem = Pick<ProblemDocument, 'title' | 'status' | 'detail'> & Partial<ProblemDocument>

export class Refused extends Error {
  constructor(readonly problem: Problem) {
    super(problem.detail || problem.title)
  }
}

/** What was refused; what else went wrong is a fault of the page, which says so (`App.svelte`). */
export function refusal(error: unknown): Refused {
  if (error instanceof Refused) return error
  throw error
}

/** This page has no board for the game. */
export const unknownGame = (): Refused => new Refused({ title: '', status: 404, detail: '', code: 'unknown_game' })
