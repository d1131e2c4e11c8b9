/** What this browser remembers of talk: whether it is wanted, and whether it is read aloud. */
import { keep, recall } from '../../lib/kept'

const KEY = 'ziggurat.talk'

const stored = recall<{ on?: boolean; aloud?: boolean }>(KEY, {})

class TalkSettings {
  /** Does a person want to hear what others say, and talk? */
  on = $state(stored.on ?? true)
  /** Is it read aloud what is said? */
  aloud = $state(stored.aloud ?? false)

  save(): void {
    keep(KEY, { on: this.on, aloud: this.aloud })
  }
}

export const talkSettings = new TalkSettings()
