/** What a page is doing because somebody wants it, what came of it, and what was wrong. */
export class Doing {
  busy = $state(false)
  news = $state('')
  failure = $state('')

  /** `refusal`: says in words what was wrong. */
  constructor(readonly refusal: (error: unknown) => string) {}

  run = async (what: () => Promise<string | void>): Promise<void> => {
    this.busy = true
    this.news = this.failure = ''
    try {
      this.news = (await what()) ?? ''
    } catch (error) {
      this.failure = this.refusal(error)
    } finally {
      this.busy = false
    }
  }
}
