/** The pad opens without a connection once it was opened with one: its worker keeps its files (`web/public/sw.js`). */
class Offline {
  /** Does it open without a connection from now on? */
  ready = $state(false)

  async prepare(): Promise<void> {
    const workers = navigator.serviceWorker // on https and localhost alone
    if (!workers) return
    workers.addEventListener('message', ({ data }) => {
      if (data === 'pad kept') this.ready = true
    })
    workers.startMessages()
    await workers.register('./sw.js').catch(() => undefined)
    ;(await workers.ready).active?.postMessage('keep the pad')
  }
}

export const offline = new Offline()
