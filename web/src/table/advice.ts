/** A Master's advice in the bar: the move, on the board too, and why. */
import Reasons from './Reasons.svelte'
import type { Help } from './help'
import { t } from '../lib/i18n.svelte'
import { highlight } from './highlights'
import { inWords } from './moves'
import { need } from '../lib/parts'
import { explain } from '../lib/problems'
import { Refused } from '../lib/refused'
import type { TableSession } from './tableSession.svelte'
import type { Advice } from '../lib/wire'

const ASK_AGAIN_EVERY = 3000

/** What a Master advises, who may have to be prepared first; null when nobody waits any more. */
export async function whenReady(session: TableSession, waits: () => boolean): Promise<Advice | null> {
  for (;;) {
    try {
      return await session.source.hint()
    } catch (error) {
      if (!(error instanceof Refused) || error.problem.code !== 'not_ready') throw error
    }
    if (!waits()) return null
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_EVERY))
    if (!waits()) return null
  }
}

/** Asks what a Master would do, and tells what is known so far. */
export async function advise(session: TableSession, tell: (help: Help | null) => boolean): Promise<void> {
  const dismiss = { label: t('ui.hint.dismiss'), run: () => tell(null) }
  tell({ say: () => t('ui.hint.thinking'), deeds: [dismiss], busy: true })
  try {
    const waits = (): boolean => tell({ say: () => t('ui.hint.preparing'), deeds: [dismiss], busy: true })
    const [advice] = await Promise.all([whenReady(session, waits), need('why', session.game)])
    if (!advice) return
    const { move, chances, why: reasons } = advice
    const chance = chances[session.you ?? 0]
    const percent = chance === undefined ? 0 : Math.round(chance * 100)
    const play = (): void => {
      tell(null)
      session.selection.play(...move.steps)
    }
    const explained = (all: boolean): void => {
      const more = reasons.length > 1 && !all ? [{ label: t('why.ask'), run: () => explained(true) }] : []
      tell({
        say: () => t('ui.hint.answer', { move: inWords(session, session.you ?? 0, move), percent }),
        show: () => highlight(session, session.you ?? 0, [{ move, kind: 'better', label: t('ui.bot.master') }]),
        deeds: [dismiss, ...more, { label: t('ui.hint.play'), run: play, primary: true }],
        why: { reasons, Reasons, all },
      })
    }
    explained(false)
  } catch (error) {
    tell({ say: () => explain(error), deeds: [dismiss], bad: true })
  }
}
