/** The rooms of the house: every folder of `games/` with an `index.ts`. Its pictures and its board are loaded when needed. */
import type { Component } from 'svelte'
import type { Room } from './room.svelte'

export interface BoardProps {
  room: Room
}

export interface GameRoom {
  id: string
  /** The fewest and the most who play. */
  players: [number, number]
  /** Where its plate stands on the first page. */
  order: number
  /** The small living picture of its board. */
  plate: () => Promise<{ default: Component }>
  /** Options that have no list of choices: an order of the seats, asked for only when it matters. */
  orders?: Record<string, (options: Record<string, string>) => boolean>
  /** The options that everybody looks at; the others are house rules. Without this, all of them are shown. */
  main?: string[]
  board: () => Promise<{ default: Component<BoardProps> }>
}

const modules = import.meta.glob<GameRoom>('../games/*/index.ts', { import: 'default', eager: true })

export const rooms: GameRoom[] = Object.values(modules).sort((one, other) => one.order - other.order)

export function roomOf(id: string): GameRoom | undefined {
  return rooms.find((room) => room.id === id)
}
