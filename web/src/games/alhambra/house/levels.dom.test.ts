import { expect, test } from 'vitest'
import { placed, said } from '../../../features/levels/levels'
import type { GameLevel, LevelsOf, SeatLevel, TableInfo, TableLevels } from '../../../lib/wire'
import { need } from '../../../lib/parts'
import { all, press, the, until, words } from '../../../testing/page'
import { show } from '../../../testing/part'
import { Tape } from '../../../testing/tape'
import { speak } from '../../../testing/words'
import CountedTerm from '../../../features/levels/CountedTerm.svelte'
import ListedLevels from '../../../features/levels/ListedLevels.svelte'
import Person from '../../../features/levels/Person.svelte'
import SeatLevels from '../../../features/levels/SeatLevels.svelte'

const RUNGS = ['apprentice', 'mason', 'builder', 'architect', 'master']

const game = (more: Partial<GameLevel>): GameLevel => ({
  game: 'alhambra',
  games: 12,
  with_bots: 6,
  level: 2.4,
  low: 2.1,
  high: 2.8,
  to_go: 0,
  curve: [
    { at: '2026-10-01T10:00:00Z', level: 1.6, low: 1, high: 2.2 },
    { at: '2026-11-01T10:00:00Z', level: 2.4, low: 2.1, high: 2.8 },
  ],
  opponents: [{ name: 'Bob', mark: null, games: 7, page: 'bobs' }],
  ...more,
})

const mine = (more: Partial<LevelsOf> = {}): LevelsOf => ({
  name: 'Ann',
  mark: null,
  you: true,
  shows: 'me',
  page: '',
  rungs: RUNGS,
  games: [game({})],
  reliability: { games: 10, stayed: 9, timed: 4, in_time: 3 },
  on: true,
  ...more,
})

test('a level is said in words, also at its ends', async () => {
  await speak('en')
  await need('levels')
  expect([-0.6, -0.05, 0.5, 2.1, 2.4, 3.95, 4.6].map((level) => said(level, RUNGS))).toEqual([
    'On the way to Apprentice',
    'About as good as Apprentice',
    'Between Apprentice and Mason',
    'About as good as Builder',
    'Between Builder and Architect',
    'About as good as Master',
    'Beyond Master',
  ])
  expect([-1, 1.25, 1.5, 1.8, 2, 5].map((level) => placed(level, RUNGS))).toEqual([
    'below Apprentice',
    'Mason and a bit',
    'midway from Mason to Builder',
    'nearly Builder',
    'Builder',
    'above Master',
  ])
})

test('my page has the level in words and pictures, and lets me say who sees it', async () => {
  await speak('en')
  const tape = new Tape([]).answer('GET /api/levels/me', mine())
  tape.begin()
  const place = show(Person, { whose: '' })
  await until(() => place.querySelector('svg[role=img]'))
  expect(words(place)).toMatch(/Between Builder and Architect.*12 games counted|12 games counted.*Between Builder/)
  expect(all('img', /Between Builder and Architect; a step is a bot/)).toHaveLength(1)
  expect(all('img', /at first midway from Mason to Builder, at last midway|at first/)).toHaveLength(1)
  expect(words(place)).toMatch(/Of the last 10 games with others, 9 played to the end.*3 of 4 games with a clock/)
  expect(the('link', 'Bob').getAttribute('href')).toBe('#/person/bobs')
  tape.answer('PUT /api/levels/me', mine({ shows: 'anyone', page: 'anns' }))
  await press(the('radio', 'Anybody'))
  await until(() => place.querySelector<HTMLInputElement>('input[readonly]'))
  expect(place.querySelector<HTMLInputElement>('input[readonly]')!.value).toMatch(/#\/person\/anns$/)
})

test('as long as too little is known the page says how many games it takes, and that bots have to be there', async () => {
  await speak('en')
  const unknown = game({
    level: null,
    low: null,
    high: null,
    to_go: 6,
    games: 2,
    with_bots: 1,
    curve: [],
    opponents: [],
  })
  new Tape([]).answer('GET /api/levels/me', mine({ games: [unknown] })).begin()
  const place = show(Person, { whose: '' })
  await until(() => /About 6 more games/.test(words(place)))
  expect(words(place)).toMatch(/2 of them with a bot at the table/)
})

test('whose page is not shown to me is told so', async () => {
  await speak('hu')
  new Tape([]).answer('GET /api/levels/people/nobodys', { code: 'no_levels', title: '', detail: '' }, 404).begin()
  const place = show(Person, { whose: 'nobodys' })
  await until(() => place.querySelector('[role=alert]'))
  expect(words(place)).toMatch(/Nincs ilyen oldal/)
})

test('a waiting room says who shows what, and why a game does not count', async () => {
  await speak('en')
  const seat = (more: Partial<SeatLevel>): SeatLevel => ({
    seat: 0,
    level: null,
    low: null,
    high: null,
    games: 0,
    page: '',
    reliability: null,
    ...more,
  })
  const told: TableLevels = {
    rungs: RUNGS,
    seats: [
      seat({ level: 3, page: 'anns', reliability: { games: 4, stayed: 4, timed: 0, in_time: 0 } }),
      seat({ seat: 1 }),
    ],
    why_not: 'hints',
  }
  new Tape([]).answer('GET /api/tables/t/levels', told).begin()
  const seats = [
    { kind: 'human', name: 'Ann' },
    { kind: 'human', name: 'Bob' },
  ]
  const table = { id: 't', seats, hints: true, policy: {}, options: {} } as unknown as TableInfo
  const place = show(SeatLevels, { table })
  await until(() => place.querySelector('li'))
  expect(words(place)).toMatch(/Ann · About as good as Architect/)
  expect(words(place)).not.toMatch(/Bob/)
  expect(words(place)).toMatch(/does not count for levels: hints are allowed/)
})

test('a game counts without hints alone: who ticks the one unticks the other', async () => {
  await speak('en')
  const policy = { counted: true }
  const heard: boolean[] = []
  show(CountedTerm, { policy, hints: true, onhints: (allowed: boolean) => void heard.push(allowed) })
  const box = (await until(() => document.querySelector('input[type=checkbox]'))) as HTMLInputElement
  expect(box.checked).toBe(false)
  await press(box)
  expect(heard).toEqual([false])
})

test('before one sits down with strangers one sees whether they stay, when one asks', async () => {
  await speak('hu')
  const reliability = { games: 5, stayed: 3, timed: 2, in_time: 2 }
  const seats = [{ seat: 0, level: null, low: null, high: null, games: 0, page: '', reliability }]
  const tape = new Tape([]).answer('GET /api/tables/t/levels', { rungs: RUNGS, seats, why_not: null })
  tape.begin()
  const place = show(ListedLevels, { table: 't', names: ['Ann'] })
  const fold = await until(() => place.querySelector('details'))
  expect(words(place)).not.toMatch(/végigjátszva/)
  fold.open = true
  fold.dispatchEvent(new Event('toggle'))
  await until(() => /Ann · szintje nem látszik.*5 közös játszmából 3 végigjátszva/.test(words(place)))
  expect(place.querySelectorAll('i.left')).toHaveLength(2)
})
