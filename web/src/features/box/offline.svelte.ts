import type { Language } from '../../lib/settings.svelte'

/**
 * The pad opens without a connection once it was opened with one: its worker keeps its files, with the words of the
 * languages in which it was opened (`web/public/sw.js`).
 */
class Offline {
  /** Does it open without a connection from now on? */
  ready = $state(false)
  #listening = false
  #language: Language = ''

  async prepare(language: Language): Promise<void> {
    this.#language = language
    const workers = navigator.serviceWorker // on https and localhost alone
    if (!workers) return
    const ask = async (): Promise<void> =>
      (await workers.ready).active?.postMessage({ keep: 'pad', language: this.#language })
    if (!this.#listening) {
      this.#listening = true
      workers.addEventListener('message', ({ data }) => {
        if (data === 'pad kept') this.ready = true
      })
      // The worker of a new version took over.
      workers.addEventListener('controllerchange', () => void ask())
      workers.startMessages()
    }
    await import('../../lib/install')
    await workers.register('./sw.js').catch(() => undefined)
    await ask()
  }
}

export const offline = new Offline()
