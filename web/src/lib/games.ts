/** The games of the page: every folder of `games/` with an `index.ts`. Its pictures and its board are loaded when needed. */
import type { Component } from 'svelte'
import type { TableSession } from './tableSession.svelte'

export interface BoardProps {
  session: TableSession
}

export interface GameModule {
  id: string
  /** The fewest and the most who play. */
  players: [number, number]
  /** Where its thumbnail stands on the first page. */
  order: number
  /** The small living picture of its board. */
  thumbnail: () => Promise<{ default: Component }>
  /** Options that have no list of choices: an order of the seats, asked for only when it matters. */
  orders?: Record<string, (options: Record<string, string>) => boolean>
  /** The options that everybody looks at; the others are house rules. Without this, all of them are shown. */
  main?: string[]
  board: () => Promise<{ default: Component<BoardProps> }>
}

const found = import.meta.glob<GameModule>('../games/*/index.ts', { import: 'default', eager: true })

export const gameModules: GameModule[] = Object.values(found).sort((one, other) => one.order - other.order)

export function moduleOf(id: string): GameModule | undefined {
  return gameModules.find((module) => module.id === id)
}
