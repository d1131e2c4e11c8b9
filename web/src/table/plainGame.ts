/** What a game has that has nothing of its own: apart from the shell, which would name all these files otherwise. */
import { api } from '../lib/api'
import type { GameModule } from './games'

export const thumbnail: GameModule['thumbnail'] = () => import('./plain/PlainThumbnail.svelte')
export const board: GameModule['board'] = () => import('./plain/PlainBoard.svelte')
export const count = (): Promise<typeof import('./plain/PlainCount.svelte')> => import('./plain/PlainCount.svelte')

/** The fewest and the most who play. */
export async function playersOf(game: string): Promise<{ fewest: number; most: number }> {
  const info = (await api.games()).find(({ id }) => id === game)
  return { fewest: info?.min_players ?? 1, most: info?.max_players ?? 1 }
}
