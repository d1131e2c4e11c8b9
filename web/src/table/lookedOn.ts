/**
 * The tables at which this browser looks on: their addresses, with the secret that lets them in, as far as one is needed.
 * The service keeps nothing of who looks on where.
 */
const KEY = 'ziggurat.looks'
/** The oldest are forgotten. */
const MOST = 12

export interface LookedOn {
  id: string
  secret: string
}

export function lookedOn(): LookedOn[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return (Array.isArray(stored) ? stored : []).filter(
      (one): one is LookedOn => typeof one?.id === 'string' && typeof one.secret === 'string',
    )
  } catch {
    // Private windows may refuse storage; then no list is kept.
    return []
  }
}

/** Notes that somebody looks on at a table; or, without a secret, that they do not any more. */
export function lookOn(id: string, secret: string | null): void {
  const others = lookedOn().filter((one) => one.id !== id)
  try {
    localStorage.setItem(KEY, JSON.stringify(secret === null ? others : [{ id, secret }, ...others].slice(0, MOST)))
  } catch {
    // See lookedOn().
  }
}
