/**
 * What cannot be fetched now is fetched as soon as the server answers again; meanwhile the page says so (`Notices.svelte`). It
 * says something else where the server answers and a part does not come: then that is gone, or held back on its way.
 */
import { Refused } from './refused'

const LOOK_AGAIN_EVERY = 4000
/** The page loads itself anew once in so many milliseconds. */
const ONCE_IN = 60_000

/** What browsers say of a part that did not come is in words alone; one that came and broke says something else. */
const NOT_COME = /^\w+: (failed to fetch|fetch|error loading|importing|load failed|unable to preload)|network/i

/** Was it the way to the server? */
export const lost = (error: unknown): boolean =>
  error instanceof Refused ? error.problem.status === 0 || error.problem.status > 501 : NOT_COME.test(String(error))

class Connection {
  /** How much waits for the server. */
  waiting = $state(0)
  /** Whether something does not come that the server, which answers, has not, or that something else holds back. */
  gone = $state(false)
  /** Our own script (`main.ts`): others may stand before it in the page, such as those of extensions. */
  own = ''
  #looking: Promise<void> | null = null
  #missed = new Set<HTMLLinkElement>()

  /** Hears of what the page could not load by itself. */
  miss = ({ target }: Event): void => {
    if (target instanceof HTMLLinkElement) this.#missed.add(target)
  }

  /** Fetches something, however long it takes; what is refused is refused. `quietly`: nobody waits for it. */
  async sure<T>(fetch: () => Promise<T>, quietly = false): Promise<T> {
    for (let tries = 0; ; tries++) {
      try {
        return await fetch()
      } catch (error) {
        if (!lost(error)) throw error
        if (!quietly) this.gone = tries > 0 && !(error instanceof Refused)
      }
      if (!quietly) this.waiting += 1
      try {
        if (tries) await this.#pause()
        await this.look()
      } finally {
        if (!quietly) this.waiting -= 1
      }
      // Nobody else asks again for a style sheet.
      for (const link of this.#missed) link.replaceWith(link.cloneNode())
      this.#missed.clear()
    }
  }

  /** Tries again at once; so does the table. What is gone comes with another page alone. */
  again = (): void => void (this.gone ? location.reload() : dispatchEvent(new Event('online')))

  #pause(): Promise<unknown> {
    return new Promise((resolve) => {
      addEventListener('online', resolve, { once: true })
      setTimeout(resolve, LOOK_AGAIN_EVERY)
    })
  }

  /**
   * Waits until the server answers. Where it has another version of the page, loads that, unless the page was loaded
   * anew a moment ago: then people decide. Nothing has to be kept for that.
   */
  look(): Promise<void> {
    return (this.#looking ??= this.#look())
  }

  async #look(): Promise<void> {
    for (;;) {
      const page = await fetch('./', { cache: 'no-cache' }).catch(() => null)
      if (page?.ok) {
        const [way] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
        const known = (await page.text()).includes(this.own.split('/').pop()!)
        if (known || (way?.type === 'reload' && performance.now() < ONCE_IN)) break
        this.own = '' // which is known everywhere
        location.reload()
      } else this.gone = false
      await this.#pause()
    }
    this.#looking = null
  }
}

export const connection = new Connection()
