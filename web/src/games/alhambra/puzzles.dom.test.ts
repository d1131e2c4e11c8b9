import { expect, test } from 'vitest'
import type { PuzzleProgress } from '../../lib/wire'
import { all, nameOf, press, the, until, visit, words } from '../../testing/page'
import { tape } from '../../testing/tape'

const finder = (): string => all('region', 'Find the move').map(words).join()

test('a move is missed and explained, and the puzzle is put again', async () => {
  const progress = { rating: { value: 1500, give: 686 }, answered: 0, found: 0, all: 160, next: null }
  const told = tape('finding', 'alhambra').answer('GET /api/find/alhambra', progress satisfies PuzzleProgress)
  const at = told.lines.flatMap((line) => ('ask' in line ? [line.ask] : [])).find((ask) => ask.startsWith('POST'))!
  await visit(told, `#${at.replace('POST /api', '')}`)
  await until(() => all('region', 'Open money').length)
  await until(() => finder().includes('One move here is clearly better than all others.'))
  expect(finder()).toContain('32 moves to choose from')
  const money = the('region', 'Open money')
  await press(the('button', nameOf(all('button', undefined, money)[0]!), money))
  await press(the('button', 'Take the money'))
  for (const said of [
    'A costly mistake',
    'It lowers your chance of winning by about 9 percentage points (5 to 12). 2 moves are better.',
    'Best: buy the tower 9 with yellow 9',
    'Denies Mason about 6 points: towers.',
    '1 of 160 answered, 0 found',
  ])
    expect(finder()).toContain(said)
  expect(all('listitem', undefined, the('list', 'Why this move'))).toHaveLength(4)
  await press(the('button', 'Once more'))
  expect(finder()).toContain('Your first answer counts; this one does not.')
  expect(told.asked.map(({ ask }) => ask)).toEqual([at])
})
