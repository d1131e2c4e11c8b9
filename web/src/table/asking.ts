/** Opens the line for questions, and the sheet of the keys: over the board, which goes on below them. */
import { mount, unmount, type Component } from 'svelte'
import Ask from './Ask.svelte'
import KeySheet from './KeySheet.svelte'
import type { Questions } from './questions'
import { need } from '../lib/parts'
import type { TableSession } from './tableSession.svelte'

const facts = import.meta.glob<Questions>('../games/*/questions.ts', { import: 'default' })

/** One at a time; the focus returns to where it was. */
let close: (() => void) | null = null

function open<Props extends { onclose: () => void }>(
  Sheet: Component<Props>,
  session: TableSession,
  props: Omit<Props, 'onclose'>,
): void {
  close?.()
  const before = document.activeElement
  const target = document.querySelector(`.game-${session.game}`) ?? document.body
  const onclose = (): void => {
    if (close !== onclose) return
    close = null
    void unmount(shown)
    if (before instanceof HTMLElement && before.isConnected) before.focus()
  }
  const shown = mount(Sheet, { target, props: { ...props, onclose } as unknown as Props })
  close = onclose
}

/** The facts of a game, or those that are known at every table. */
async function questionsOf(game: string): Promise<Questions> {
  const own = await facts[`../games/${game}/questions.ts`]?.()
  return own ?? (await import('./plain/PlainBoard.svelte')).questions
}

export async function ask(session: TableSession): Promise<void> {
  const [questions] = await Promise.all([questionsOf(session.game), need('ask', session.game)])
  open(Ask, session, { session, questions })
}

export async function sheet(session: TableSession): Promise<void> {
  await need('keys')
  open(KeySheet, session, {})
}
