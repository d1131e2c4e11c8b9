import { expect, test } from 'vitest'
import { coming, sit, the, until, words } from '../../../testing/page'
import { tape } from '../../../testing/tape'
import type { ResultInfo } from '../../../lib/wire'

const AT = '2026-11-30T17:00:00.000+00:00'

test('the result goes elsewhere by a link and a file, which are asked for when somebody wants them', async () => {
  const told = tape('room', 'alhambra/house')
  Object.assign(told.state.table, { status: 'finished', scores: [30, 41, 12], winners: [1] })
  await sit(told)
  await coming('dialog', 'The game is over')
  const end = await until(() =>
    [...document.querySelectorAll('dialog details')].find((one) => words(one).startsWith('The result')),
  )
  const result: ResultInfo = { name: 'Go', bgg: null, begun: AT, ended: AT, minutes: 12, starter: 0 }
  told.answer(`GET /api/tables/${told.table}/result`, result)
  ;(end as HTMLDetailsElement).open = true
  end.dispatchEvent(new Event('toggle'))
  const file = await coming('link', 'Save as CSV', end)
  expect(file.getAttribute('href')).toBe(`/api/tables/${told.table}/results.csv`)
  const link = the('link', 'Record in BG Stats', end) as HTMLAnchorElement
  const play = JSON.parse(new URL(link.href).searchParams.get('data')!) as {
    players: { name: string; winner: boolean }[]
  }
  expect(play.players.map(({ name, winner }) => [name, winner])).toEqual([
    ['Ann', false],
    ['Bob', true],
    [expect.any(String), false],
  ])
  expect([link.target, link.rel]).toEqual(['_blank', 'noopener noreferrer'])
  expect(told.asked).toEqual([])
})
