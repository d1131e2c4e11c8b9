/** The tutorial, a guided first game: against ordinary bots, with a Master's advice at every decision, and why. */
import { api } from '../../lib/api'
import { guide } from '../../table/guided'

/** Who sits there: one who still learns, and one who plays fairly. */
const COMPANY = ['apprentice', 'mason']

/** Begins one; returns its table. */
export async function beginTutorial(game: string): Promise<string> {
  const info = (await api.games()).find((one) => one.id === game)
  const bots = COMPANY.slice(0, (info?.max_players ?? 3) - 1).map((bot) => ({ kind: 'bot' as const, bot }))
  const { id } = await api.create({ game, seats: [{ kind: 'me' }, ...bots], pace: 'calm', hints: true, start: true })
  // Where nothing is remembered, the game is an ordinary one.
  guide(id)
  return id
}
