/** What this browser remembers of talk: whether it is wanted, and whether it is read aloud. */
const KEY = 'ziggurat.talk'

function read(): { on?: boolean; aloud?: boolean } {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as { on?: boolean; aloud?: boolean }
  } catch {
    return {} // private windows may refuse storage
  }
}

class TalkSettings {
  /** Does a person want to hear what others say, and talk? */
  on = $state(read().on ?? true)
  /** Is it read aloud what is said? */
  aloud = $state(read().aloud ?? false)

  save(): void {
    try {
      localStorage.setItem(KEY, JSON.stringify({ on: this.on, aloud: this.aloud }))
    } catch {
      // See read().
    }
  }
}

export const talkSettings = new TalkSettings()
