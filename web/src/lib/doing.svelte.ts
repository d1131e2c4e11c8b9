/** What a page is doing because somebody wants it, what came of it, and what was wrong. */
import { explain } from './problems'

export class Doing {
  busy = $state(false)
  news = $state('')
  failure = $state('')

  /** `refusal`: says in words what was wrong. */
  constructor(readonly refusal: (error: unknown) => string = explain) {}

  run = async (what: () => Promise<unknown>): Promise<void> => {
    this.busy = true
    this.news = this.failure = ''
    try {
      const news = await what()
      if (typeof news === 'string') this.news = news
    } catch (error) {
      this.failure = this.refusal(error)
    } finally {
      this.busy = false
    }
  }

  /**
   * Looks now, every so many milliseconds, and when the page is seen again; what was wrong is gone with the first look that
   * succeeds. Returns what ends it.
   */
  keep(look: () => Promise<void>, every: number): () => void {
    void this.run(look)
    const again = (): void =>
      void (
        document.hidden ||
        this.busy ||
        look().then(
          () => (this.failure &&= ''),
          () => undefined,
        )
      )
    const timer = setInterval(again, every)
    for (const event of ['focus', 'visibilitychange', 'online']) addEventListener(event, again)
    return () => {
      clearInterval(timer)
      for (const event of ['focus', 'visibilitychange', 'online']) removeEventListener(event, again)
    }
  }
}
