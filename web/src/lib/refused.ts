/** A refusal of the server, with its problem document. */
import type { ProblemDocument } from './wire'

/** What is known of a refusal; one that did not come from the server has less to tell. */
export type Problem = Pick<ProblemDocument, 'title' | 'status' | 'detail'> & Partial<ProblemDocument>

export class Refused extends Error {
  constructor(readonly problem: Problem) {
    super(problem.detail || problem.title)
  }
}
