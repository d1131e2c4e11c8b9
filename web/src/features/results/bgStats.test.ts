import { expect, test } from 'vitest'
import type { ResultInfo, SeatInfo, TableInfo } from '../../lib/wire'
import { bgStatsLink, places } from './bgStats'

const seat = (seat: number, name: string, bot: string | null = null): SeatInfo =>
  ({ seat, kind: bot ? 'bot' : 'human', name, bot }) as SeatInfo
const NAMES = ['Béla & “Ann” #1', '', 'Csaba']
const table = (more: Partial<TableInfo> = {}): TableInfo =>
  ({
    id: 't1',
    game: 'go',
    status: 'finished',
    seats: [seat(0, NAMES[0]!), seat(1, '', 'master'), seat(2, 'Csaba')],
    scores: [41, 30, 41],
    winners: [2],
    ...more,
  }) as TableInfo
const result = (more: Partial<ResultInfo> = {}): ResultInfo => ({
  name: 'Go',
  bgg: 188,
  begun: '2026-11-30T16:00:00.000+00:00',
  ended: '2026-11-30T17:05:09.123+00:00',
  minutes: 65,
  starter: 1,
  ...more,
})
const name = (at: number): string => NAMES[at] || 'Master'
const play = (link: string | null): Record<string, unknown> => {
  const address = new URL(link!)
  expect(address.origin + address.pathname).toBe('https://app.bgstatsapp.com/createPlay.html')
  expect([...address.searchParams.keys()]).toEqual(['data'])
  expect(address.hash).toBe('')
  return JSON.parse(address.searchParams.get('data')!) as Record<string, unknown>
}

test('a finished game is a link with all that the app wants to know', () => {
  expect(play(bgStatsLink(table(), result(), name, 'games.example'))).toEqual({
    sourceName: 'Ziggurat',
    sourcePlayId: 't1',
    playDate: '2026-11-30 17:05:09',
    durationMin: 65,
    location: 'games.example',
    game: { sourceGameId: 'go', name: 'Go', bggId: 188, highestWins: true, noPoints: false },
    players: [
      { sourcePlayerId: NAMES[0], name: NAMES[0], startPlayer: false, score: 41, rank: 2, winner: false },
      { sourcePlayerId: 'bot:master', name: 'Master', startPlayer: true, score: 30, rank: 3, winner: false },
      { sourcePlayerId: 'Csaba', name: 'Csaba', startPlayer: false, score: 41, rank: 1, winner: true },
    ],
  })
})

test('what nobody knows is left out, and a game without an end is none', () => {
  const told = play(bgStatsLink(table(), result({ minutes: null, bgg: null, starter: null }), name, ''))
  expect(told).not.toHaveProperty('durationMin')
  expect(told.game).not.toHaveProperty('bggId')
  expect(told.players).toMatchObject([{ startPlayer: false }, { startPlayer: false }, { startPlayer: false }])
  expect(bgStatsLink(table({ status: 'ended', scores: null, winners: null }), result(), name, '')).toBe(null)
})

test('equal scores share a place, and winners are first', () => {
  expect(places([3, 9, 9, 1], [1, 2])).toEqual([3, 1, 1, 4])
  expect(places([5, 5], [1])).toEqual([2, 1])
})
