import { absentPlayers } from './absentPlayers'
import type { Deed, Help } from './help'
import { t } from '../lib/i18n.svelte'
import type { TableSession } from './tableSession.svelte'

/** Letting a bot play for those who keep the table waiting. */
export function standIns(session: TableSession): Help | null {
  const { table } = session.source
  const gone = table ? absentPlayers(table) : []
  if (gone.length === 0) return null
  /** Whether something else is asked, so that "No" alone would not say of what. */
  const several = gone.length > 1 || !!table?.vote
  const answer = (seat: number, yes: boolean) => () =>
    void session.source.standIn(seat, yes).catch((error) => {
      session.pendingMove.failure = error
    })
  const says: string[] = []
  const deeds: Deed[] = []
  for (const { seat, agreed, asks, missing, alone } of gone) {
    const name = session.name(seat)
    const alike = gone.filter((one) => session.name(one.seat) === name).length > 1
    const player = alike ? `${name} (${t('ui.setup.seat', { n: seat + 1 })})` : name
    const names = (seats: number[]): string[] => seats.map((one) => session.name(one))
    if (!agreed.length) deeds.push({ label: t('ui.stand_in.offer', { player }), run: answer(seat, true) })
    else if (asks) {
      says.push(t('ui.stand_in.question', { players: names(agreed), n: agreed.length, player }))
      deeds.push(
        {
          label: several ? t('ui.stand_in.agree_for', { player }) : t('ui.stand_in.agree'),
          run: answer(seat, true),
          primary: true,
        },
        { label: several ? t('ui.stand_in.no_for', { player }) : t('vote.no'), run: answer(seat, false) },
      )
    } else {
      if (missing.length) says.push(t('ui.stand_in.asked', { player, players: names(missing) }))
      else if (alone) says.push(t('ui.stand_in.alone', { player }))
      // Whoever was here a moment ago and has said nothing is asked no more after a while: then it goes without them.
      const silent = missing.every((one) => !session.seat(one)?.online)
      if (silent && !alone) deeds.push({ label: t('ui.stand_in.offer', { player }), run: answer(seat, true) })
      if (agreed[0] === session.you)
        deeds.push({
          label: several ? t('ui.stand_in.withdraw_for', { player }) : t('vote.withdraw'),
          run: answer(seat, false),
        })
    }
  }
  return { say: () => says.join(' '), deeds }
}
