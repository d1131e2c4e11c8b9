/** The pad opens without a connection once it was opened with one: its worker keeps its files (`web/public/sw.js`). */
class Offline {
  /** Does it open without a connection from now on? */
  ready = $state(false)
  #listening = false

  async prepare(): Promise<void> {
    const workers = navigator.serviceWorker // on https and localhost alone
    if (!workers) return
    const ask = async (): Promise<void> => (await workers.ready).active?.postMessage('keep the pad')
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
