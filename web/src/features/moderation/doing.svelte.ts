/** What a part of the hosts' page is doing, what came of it, and what was wrong. */
import { refusal } from './hosting'

export class Doing {
  busy = $state(false)
  news = $state('')
  failure = $state('')

  run = async (what: () => Promise<string | void>): Promise<void> => {
    this.busy = true
    this.news = this.failure = ''
    try {
      this.news = (await what()) ?? ''
    } catch (error) {
      this.failure = refusal(error)
    } finally {
      this.busy = false
    }
  }
}
