/** What happened among the people at a table, in words. */
import { words } from '../lib/catalogue'
import { duration } from './clock'
import { speaker, t, texts, type Speak } from '../lib/i18n.svelte'
import type { TableSession } from './tableSession.svelte'
import type { ActivityEntry } from '../lib/wire'

/** What gives a seat to another person: by their predecessor, or by a bot. */
const PASSED = new Set(['handed', 'late'])

/** How a note is told, and how the words of the game are at an event of the log. */
export type Tell = ((session: TableSession, note: ActivityEntry) => string) & {
  at: (session: TableSession, at: number) => Speak
}

/** Who may look on, by the numbers of the log. */
const WATCHES = ['nobody', 'link', 'anyone']

/** Loads the words. */
export async function wordsOfNotes(): Promise<Tell> {
  await words()
  return Object.assign(told, { at: speakerAt })
}

/** Who was on a seat then: an act before a seat transfer is not that of the person who has the seat now. */
function nameAt(session: TableSession, seat: number, handed: (note: ActivityEntry) => boolean): string {
  const later = session.source.notes.some((note) => PASSED.has(note.kind) && note.seat === seat && handed(note))
  return later ? t('note.former', { name: session.name(seat) }) : session.name(seat)
}

function speakerAt(session: TableSession, at: number): Speak {
  if (!session.source.notes.some(({ kind }) => PASSED.has(kind))) return session.say
  // The umpire's log of a finished game has more events than mine.
  const before = ({ seq, after }: ActivityEntry): number =>
    session.replaying
      ? (session.frames ?? []).filter((one) => one.seq < seq).flatMap(({ events }) => events).length
      : after
  return speaker(session.game, (seat) => nameAt(session, seat, (note) => at < before(note)))
}

function told(session: TableSession, { kind, seat, args, seq }: ActivityEntry): string {
  const { gone, seconds, days, bot, name, asked } = args
  const nameOf = (one: number): string => nameAt(session, one, (note) => note.seq > seq)
  const usual = `note.${kind}`
  const how =
    bot !== undefined
      ? 'bot'
      : seat === null
        ? 'nobody'
        : args.withdrawn
          ? 'withdrawn'
          : args.moved
            ? 'moved'
            : typeof args.watch === 'number'
              ? WATCHES[args.watch]
              : asked
  const other = `note.${kind}.${how}`
  return t(texts.has(other) ? other : usual, {
    who: seat === null ? '' : nameOf(seat),
    whom: typeof gone === 'number' ? nameOf(gone) : '',
    name: name ?? '',
    bot: bot === undefined ? '' : t(`ui.bot.${bot}`),
    time: seconds === undefined ? '' : duration(Number(seconds), texts.language),
    days: Number(days ?? 0),
  })
}
