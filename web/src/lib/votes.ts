/** What the people at a table decide together: to pause, to end, to wait for a player; and taking one's seat again. */
import { words as ready } from './catalogue'
import { duration, moment } from './clock'
import type { Help } from './help'
import { t, texts } from './i18n.svelte'
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
  const own = you === null ? undefined : time?.seats[you]
  if (own?.off && own.off > source.now) {
    says.push(t('vote.off', { moment: moment(own.off, locale) }))
    doing('vote.off.end', { type: 'vacation', days: 0 })
  } else if (own?.out && !vote && !replaced) says.push(t('time.out.own'))
  return says.length || deeds.length ? { say: () => says.join(' '), deeds } : null
}
