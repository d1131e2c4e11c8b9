import { expect, test } from 'vitest'
import { all, coming, press, says, sit, the, until, words } from '../../testing/page'
import { tape, type Tape } from '../../testing/tape'

/** A game with another person. */
const told = (): Tape => tape('remembered', 'alhambra')

async function leaving(page: Tape): Promise<void> {
  await sit(page)
  await press(await coming('button', 'Settings'))
  await press(await coming('button', 'Leave the table'))
}

test('whoever leaves puts a bot there in one press, and nobody else is asked', async () => {
  const page = told()
  const { id } = page.state.table
  page.answer(`POST /api/tables/${id}/leave?bot=true`, page.state.table)
  await leaving(page)
  await press(await coming('button', 'Leave; a bot plays until I am back'))
  await until(() => /^#?\/?$/.test(location.hash))
  expect(page.asked.map(({ ask }) => ask)).toEqual([`POST /api/tables/${id}/leave?bot=true`])
})

test('by days the clock runs on, and alone with bots there is nobody to be spared', async () => {
  const days = told()
  const control = { kind: 'days', reserve: 86_400, step: 3600 }
  const clock = { reserve: 9, free: 9, since: null, until: null, vacation: 0, off: null, out: false }
  const seats = days.state.table.seats.map(() => clock)
  Object.assign(days.state.table, { time: { control, seats, paused: null } })
  await leaving(days)
  await says('and so does your clock: it runs on')
  const alone = told()
  for (const seat of alone.state.table.seats) if (!seat.you) Object.assign(seat, { kind: 'bot', bot: 'random' })
  await leaving(alone)
  await says('Until then the game waits.')
  expect(all('button', 'Leave; a bot plays until I am back')).toEqual([])
  expect(words(the('dialog', 'Leave the table'))).toContain('For now')
})

test('at a decision of one’s own an earlier move is asked for in the drawer, not in the bar', async () => {
  const page = tape('late', 'alhambra')
  page.state.can_undo = 'ask'
  await sit(page)
  expect(page.state.decision.legal).not.toEqual([])
  expect(all('button', 'Ask to undo my move')).toEqual([])
  await press(the('button', 'Settings'))
  await press(await coming('button', 'Ask to undo my move'))
  expect(page.sent).toEqual([{ type: 'undo', id: '' }])
})

test('the end says once for whom a bot played', async () => {
  const page = tape('room', 'alhambra/house')
  const { table } = page.state
  const other = table.seats.find(({ kind, you }) => kind === 'human' && !you)!
  Object.assign(other, { by_bot: 3, moves: 10 })
  Object.assign(table, { status: 'finished', winners: [other.seat], scores: [1, 2, 3] })
  await sit(page)
  if (!all('dialog').length) await press(await coming('button', 'Where the points come from'))
  await says("A bot played 3 of Bob's 10 moves.")
  expect(words(the('dialog', 'The game is over')).split('3 of').length - 1).toBe(1)
})
