/**
 * The tables at which this browser looks on: their addresses, with the secret that lets them in, as far as one is needed.
 * The service keeps nothing of who looks on where.
 */
import { keep, recall } from '../lib/kept'

const KEY = 'ziggurat.looks'
/** The oldest are forgotten. */
const MOST = 12

export interface LookedOn {
  id: string
  secret: string
}

export function lookedOn(): LookedOn[] {
  const stored = recall<unknown>(KEY, [])
  return (Array.isArray(stored) ? stored : []).filter(
    (one): one is LookedOn => typeof one?.id === 'string' && typeof one.secret === 'string',
  )
}

/** Notes that somebody looks on at a table; or, without a secret, that they do not any more. */
export function lookOn(id: string, secret: string | null): void {
  const others = lookedOn().filter((one) => one.id !== id)
  keep(KEY, secret === null ? others : [{ id, secret }, ...others].slice(0, MOST))
}
