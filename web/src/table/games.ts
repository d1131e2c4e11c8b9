/** The games of the page: all that can be played. Of what their folders here do not say or have, there is a plain one. */
import { ways } from 'virtual:games'
import type { Component } from 'svelte'
import type { TableSession } from './tableSession.svelte'

export interface BoardProps {
  session: TableSession
}

export interface GameModule {
  id: string
  /** Where its thumbnail stands on the first page. */
  order: number
  /** The small living picture of its board. */
  thumbnail: () => Promise<{ default: Component }>
  board: () => Promise<{ default: Component<BoardProps> }>
}

/** What the page on which a table is set up has to know of a game (`setUp.ts`). */
export interface SetUp {
  /** Options that have no list of choices: an order of the seats, asked for only when it matters. */
  orders?: Record<string, (options: Record<string, string>) => boolean>
  /** The options that everybody looks at; the others are house rules. Without this, all of them are shown. */
  main?: string[]
}

/** What the folder of a game says in its `index.ts`, if there is one. */
export type GameDeclaration = Partial<Omit<GameModule, 'id'>>

const found = import.meta.glob<GameDeclaration>('../games/*/index.ts', { import: 'default', eager: true })

/** What a game has that says nothing itself. */
export const plain = (): Promise<typeof import('./plainGame')> => import('./plainGame')

export const gameModules: GameModule[] = Object.keys(ways)
  .map((id): GameModule => ({
    id,
    order: 99,
    thumbnail: () => plain().then((game) => game.thumbnail()),
    board: () => plain().then((game) => game.board()),
    ...found[`../games/${id}/index.ts`],
  }))
  .sort((one, other) => one.order - other.order)

export function moduleOf(id: string): GameModule | undefined {
  return gameModules.find((module) => module.id === id)
}
