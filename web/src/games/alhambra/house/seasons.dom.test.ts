import { expect, test } from 'vitest'
import type { SeasonInfo, SeasonRoundInfo, SeasonTableInfo, Standing } from '../../../lib/wire'
import { all, press, the, until, words } from '../../../testing/page'
import { show } from '../../../testing/part'
import { Tape } from '../../../testing/tape'
import { speak } from '../../../testing/words'
import Season from '../../../features/seasons/Season.svelte'

const NOW = Date.now() / 1000
const HOUR = 3600
const NAMES = ['Ann', 'Bob', 'Cia', null]

const table = (more: Partial<SeasonTableInfo> = {}): SeasonTableInfo => ({
  number: 1,
  game: 'alhambra',
  division: 1,
  people: [1, 2, 3],
  seats: null,
  table: null,
  days: false,
  scores: null,
  points: null,
  absent: [],
  ...more,
})

const round = (more: Partial<SeasonRoundInfo> = {}): SeasonRoundInfo => ({
  round: 1,
  tables: [table()],
  rests: [4],
  absent: [],
  reserve: [],
  here: [],
  fingerprint: 'f'.repeat(64),
  ...more,
})

const row = (who: number, place: number, line: (number | null)[]): Standing => ({
  who,
  division: 1,
  place,
  points: line.reduce<number>((sum, one) => sum + (one ?? 0), 0),
  line,
  tables: line.filter((one) => one !== null).length,
  missed: 0,
  free: 0,
  ties: [],
})

const season = (more: Partial<SeasonInfo> = {}): SeasonInfo =>
  ({
    id: 's',
    group: 'g',
    terms: { name: 'Autumn', games: [], starts: [NOW + 60, NOW + 170 * HOUR], ends: NOW + 200 * HOUR, ties: ['wins'] },
    commitment: 'c'.repeat(64),
    beacon: 'b'.repeat(64),
    secret: null,
    started: true,
    closed: false,
    may_enter: false,
    you: 1,
    people: NAMES.map((name, at) => ({ who: at + 1, name, gone: name === null, since: 1, part: null })),
    rounds: [round()],
    standings: [],
    wishes: {},
    next: 2,
    ...more,
  }) as SeasonInfo

async function open(info: SeasonInfo, language: 'en' | 'hu' = 'en', view = ''): Promise<[HTMLElement, Tape]> {
  await speak(language)
  const tape = new Tape([]).answer('GET /api/seasons/s', info)
  tape.begin()
  const place = show(Season, { season: 's', view })
  await until(() => place.querySelector('#mine, table, #people'))
  return [place, tape]
}

test('who has not entered enters with a press, and a part that the browser has drawn', async () => {
  const before = season({ you: null, may_enter: true, started: false, beacon: '', rounds: [], next: 1 })
  const [place, tape] = await open(before)
  tape.answer('POST /api/seasons/s/enter', season({ started: false, beacon: '', rounds: [], next: 1 }))
  await press(the('button', 'Enter the season'))
  await until(() => /You are in/.test(words(place)))
  expect(all('radio', /./)).toHaveLength(3)
})

test('who has a table is asked whether they are there; who was forgotten is a number', async () => {
  const [place, tape] = await open(season())
  expect(words(place)).toMatch(/Your table in round 1.*Alhambra with Bob, Cia/)
  expect(words(place)).toMatch(/Rest, because the numbers do not fit: Player 4/)
  tape.answer('POST /api/seasons/s/here', season({ rounds: [round({ here: [1] })] }))
  await press(the('button', 'I am here'))
  await until(() => /You are here\. The table begins/.test(words(place)))
})

test('a refusal says its own sentence, in both languages', async () => {
  const refusal = { code: 'season', title: '', detail: 'x', args: { why: 'early', minutes: 30 } }
  for (const [language, button, said] of [
    ['en', 'I am here', /From 30 minutes before the beginning/],
    ['hu', 'Itt vagyok', /A kezdés előtt 30 perccel/],
  ] as const) {
    const [place, tape] = await open(season(), language)
    tape.answer('POST /api/seasons/s/here', refusal, 409)
    await press(the('button', button))
    await until(() => place.querySelector('[role=alert]'))
    expect(words(place)).toMatch(said)
    place.remove()
  }
})

test('a season that is over says who has won, how it went, and has its file', async () => {
  const ended = table({ table: 't', seats: [1, 0, 3], scores: [9, 5, 7], points: [120, 0, 60], absent: [1] })
  const rounds = [round({ tables: [ended] }), round({ round: 2, tables: [{ ...ended, table: 'u' }] })]
  const standings = [row(1, 1, [120, 120]), row(3, 2, [60, 60]), row(2, 3, [0, 0]), row(4, 4, [null, null])]
  const [place] = await open(season({ closed: true, next: null, secret: 'd'.repeat(64), rounds, standings }))
  expect(words(place)).toMatch(/Won by Ann.*You came in at place 1, with 20 points/)
  expect(words(place)).toMatch(/How it ended/)
  expect(words(place)).toMatch(/At equal points this decides, in order: tables won; at last the lot/)
  expect(words(place)).toMatch(/Bob did not come; a bot played/)
  expect(all('img', /Points of each person after each round/)).toHaveLength(1)
  expect(all('link', /^Look back/).map((link) => link.getAttribute('href'))).toContain('#/table/u')
  expect(the('link', 'File of the season').getAttribute('href')).toBe('/api/seasons/s/file')
  expect(all('button', 'Leave the season')).toHaveLength(0)
})

test('the big screen shows the table and the rounds, and asks nobody anything', async () => {
  const [place] = await open(season({ standings: [row(1, 1, [120])] }), 'en', 'screen')
  expect(words(place)).toMatch(/Who leads/)
  expect(place.querySelector('#mine')).toBe(null)
  expect(all('button', /Leave|here/)).toHaveLength(0)
})
