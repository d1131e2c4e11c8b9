/** A Master's advice in the bar: the move, on the board too, and why. */
import Reasons from '../parts/Reasons.svelte'
import type { Help } from './help'
import { t } from './i18n.svelte'
import { light } from './lights'
import { inWords } from './moves'
import { need } from './parts'
import { explain } from './problems'
import type { Room } from './room.svelte'

/** Asks what a Master would do, and tells what is known so far. */
export async function advise(room: Room, tell: (help: Help | null) => void): Promise<void> {
  const dismiss = { label: t('ui.hint.dismiss'), run: () => tell(null) }
  tell({ say: () => t('ui.hint.thinking'), deeds: [dismiss], busy: true })
  try {
    const [{ move, chances, why: reasons }] = await Promise.all([room.live.hint(), need('why', room.game)])
    const chance = chances[room.you ?? 0]
    const percent = chance === undefined ? 0 : Math.round(chance * 100)
    const play = (): void => {
      tell(null)
      room.choosing.play(...move.steps)
    }
    const explained = (all: boolean): void => {
      const more = reasons.length > 1 && !all ? [{ label: t('why.ask'), run: () => explained(true) }] : []
      tell({
        say: () => t('ui.hint.answer', { move: inWords(room, room.you ?? 0, move), percent }),
        show: () => light(room, room.you ?? 0, [{ move, kind: 'better', label: t('ui.bot.master') }]),
        deeds: [dismiss, ...more, { label: t('ui.hint.play'), run: play, primary: true }],
        why: { reasons, Reasons, all },
      })
    }
    explained(false)
  } catch (error) {
    tell({ say: () => explain(error), deeds: [dismiss], bad: true })
  }
}
