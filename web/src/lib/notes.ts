/** What happened among the people at a table, in words. */
import { words } from './catalogue'
import { duration } from './clock'
import { t, texts } from './i18n.svelte'
import type { Room } from './room.svelte'
import type { Note } from './wire'

/** Loads the words; returns how a note is told. */
export async function wordsOfNotes(): Promise<(room: Room, note: Note) => string> {
  await words()
  return told
}

function told(room: Room, { kind, seat, args }: Note): string {
  const { gone, seconds, days, bot, name } = args
  const usual = `note.${kind}`
  const other = bot === undefined ? `note.${kind}.nobody` : `note.${kind}.bot`
  return t((bot !== undefined || seat === null) && texts.has(other) ? other : usual, {
    who: seat === null ? '' : room.name(seat),
    whom: typeof gone === 'number' ? room.name(gone) : '',
    name: name ?? '',
    bot: bot === undefined ? '' : t(`ui.bot.${bot}`),
    time: seconds === undefined ? '' : duration(Number(seconds), texts.language),
    days: Number(days ?? 0),
  })
}
