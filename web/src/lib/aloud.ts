/** Tells something to those who listen (`Announcer.svelte`); the same again is told again, because it ends otherwise. */
import type { Room } from './room.svelte'

const UNHEARD = '\u00a0'

export function aloud(room: Room, text: string): void {
  room.answer = text + (room.answer.endsWith(UNHEARD) ? '' : UNHEARD)
}
