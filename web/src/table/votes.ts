/** What the people at a table decide together: to pause, to end, to wait for a player; and taking one's seat again. */
import { words as ready } from '../lib/catalogue'
import { duration, moment } from './clock'
import type { Help } from './help'
import { t, texts } from '../lib/i18n.svelte'
import type { TableSession } from './tableSession.svelte'

export { ready }

/** What is to be said of it, and what can be done about it. */
export function plea(session: TableSession): Help | null {
  const { source, you } = session
  const { table } = source
  if (!table || table.status !== 'playing') return null
  const says: string[] = []
  const deeds: Help['deeds'] = []
  const { vote, time } = table
  const { language, locale } = texts
  const names = (seats: number[]): string[] => seats.map((seat) => session.name(seat))
  const doing = (label: string, what: Parameters<typeof source.say>[0], primary = false): void => {
    const run = (): void =>
      void source.say(what).catch((error) => {
        session.pendingMove.failure = error
      })
    deeds.push({ label: t(label), run, primary })
  }

  const { undo, log, notes } = source
  if (undo) {
    const lines = log.slice(log.length - undo.events).slice(0, undo.move)
    const own = lines.filter(({ args, seat }) => (args.seat ?? seat) === undo.by)
    const move = session.lines(own.length ? own : lines).join(' ') || t('undo.last')
    const asks = you !== null && undo.asked.includes(you)
    const whom = names(undo.asked.filter((seat) => seat !== you))
    says.push(
      t(undo.by === you ? 'undo.own' : asks ? 'undo.question' : 'undo.waiting', {
        who: session.name(undo.by),
        whom,
        move,
      }),
    )
    if (undo.events > undo.move) says.push(t('undo.later'))
    if (asks) {
      doing('vote.yes', { type: 'undo_answer', agree: true }, true)
      doing('undo.no', { type: 'undo_answer', agree: false })
    } else if (undo.by === you) doing('vote.withdraw', { type: 'undo_answer', agree: false })
    return { say: () => says.join(' '), deeds }
  }
  // Who has refused what was asked, until something else happens.
  const last = notes.at(-1)
  const news = last && (last.after >= log.length || last.seq === table.seq)
  if (!vote && news && last.kind.endsWith('_no') && last.seat !== you && session.tell)
    says.push(session.tell(session, last))

  if (time?.paused) {
    says.push(t('vote.paused', { moment: moment(time.paused, locale) }))
    if (you !== null) doing('vote.resume', { type: 'resume' }, true)
  }
  if (vote) {
    const asks = you !== null && vote.asked.includes(you)
    const args = {
      who: session.name(vote.by),
      whom: names(vote.asked),
      time: duration(vote.seconds, language),
      moment: moment(vote.until, locale),
      watch: vote.kind === 'watch' ? t(`vote.watch.${vote.seconds === 1 ? 'link' : 'anyone'}`) : '',
    }
    if (vote.kind === 'time') {
      says.push(t(vote.by === you ? 'vote.time.own' : asks ? 'vote.time.question' : 'vote.time.waiting', args))
      if (asks) {
        doing('vote.time.yes', { type: 'vote', agree: true }, true)
        doing('vote.time.no', { type: 'vote', agree: false })
      }
    } else if (asks) {
      says.push(t(`vote.${vote.kind}.question`, args))
      doing('vote.yes', { type: 'vote', agree: true }, true)
      doing('vote.no', { type: 'vote', agree: false })
    } else {
      says.push(t(vote.by === you ? `vote.${vote.kind}.own` : `vote.${vote.kind}.waiting`, args))
      if (vote.by === you) doing('vote.withdraw', { type: 'vote', agree: false })
    }
  }
  const replaced = you !== null && !!session.seat(you)?.bot
  if (replaced) {
    const resigned = session.seat(you)?.resigned
    if (resigned) says.push(t('resign.own'))
    else {
      if (!table.waits) says.push(t('vote.bot')) // which is said of everybody otherwise
      doing('vote.back', { type: 'back' }, !vote)
    }
  }
  if (source.byBot) {
    says.push(t('vote.played', { n: source.byBot }))
    if (source.canUndo) doing(`vote.played.${source.canUndo}`, { type: 'undo' })
  }
  const own = you === null ? undefined : time?.seats[you]
  if (own?.off && own.off > source.now) {
    says.push(t('vote.off', { moment: moment(own.off, locale) }))
    doing('vote.off.end', { type: 'vacation', days: 0 })
  } else if (own?.out && !vote && !replaced) says.push(t('time.out.own'))
  return says.length || deeds.length ? { say: () => says.join(' '), deeds } : null
}
