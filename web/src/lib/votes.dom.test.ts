import { beforeAll, describe, expect, test } from 'vitest'
import { speak } from '../testing/words'
import type { TableSession } from './tableSession.svelte'
import { plea, ready } from './votes'
import type { SeatTime, TableInfo, VoteInfo } from './wire'

beforeAll(async () => {
  await speak('en')
  await ready()
})

interface Told {
  says: string
  deeds: string[]
  said: unknown[]
}

const CLOCK: SeatTime = { reserve: 60, free: 5, since: null, until: null, vacation: 0, off: null, out: false }

/** What seat 0 of three is told. */
function told(more: { vote?: VoteInfo; paused?: number; own?: Partial<SeatTime>; bot?: string; you?: null }): Told {
  const said: unknown[] = []
  const time = { control: { kind: 'live', reserve: 60, step: 5 }, seats: [{ ...CLOCK, ...more.own }], paused: null }
  const table = {
    status: 'playing',
    vote: more.vote ?? null,
    time: more.own || more.paused ? { ...time, paused: more.paused ?? null } : null,
  } as unknown as TableInfo
  const session = {
    you: more.you === null ? null : 0,
    source: { table, now: 1000, say: (what: unknown) => (said.push(what), Promise.resolve(0)) },
    seat: (seat: number) => ({ seat, bot: seat === 0 ? (more.bot ?? null) : null }),
    name: (seat: number) => `seat ${seat}`,
  } as unknown as TableSession
  const found = plea(session)
  for (const { run } of found?.deeds ?? []) run()
  return { says: found?.say() ?? '', deeds: found?.deeds.map(({ label }) => label) ?? [], said }
}

const vote = (kind: VoteInfo['kind'], by: number, asked: number[]): VoteInfo => ({
  kind,
  by,
  asked,
  seconds: 300,
  until: 2000,
})

describe('what people decide together', () => {
  test('nothing is said where nothing is asked', () => {
    expect(told({})).toEqual({ says: '', deeds: [], said: [] })
  })
  test('whoever is asked agrees or does not', () => {
    expect(told({ vote: vote('pause', 1, [0, 2]) })).toEqual({
      says: 'seat 1 would like to pause for 5 minutes. Do you agree?',
      deeds: ['I agree', 'No'],
      said: [
        { type: 'vote', agree: true },
        { type: 'vote', agree: false },
      ],
    })
  })
  test('whoever asks may take it back, and whoever has answered waits', () => {
    expect(told({ vote: vote('end', 0, [1, 2]) })).toMatchObject({
      says: 'You asked to end the game unfinished. Still to answer: seat 1 and seat 2.',
      deeds: ['Never mind'],
    })
    expect(told({ vote: vote('end', 1, [2]) })).toMatchObject({
      says: 'Somebody asks to end the game unfinished. Still to answer: seat 2.',
      deeds: [],
    })
    expect(told({ vote: vote('end', 1, [2]), you: null })).toMatchObject({
      says: 'Somebody asks to end the game unfinished. Still to answer: seat 2.',
      deeds: [],
    })
  })
  test('the others wait for somebody whose time ran out, or a bot plays', () => {
    expect(told({ vote: vote('time', 1, [0]) })).toMatchObject({
      says: "seat 1's time has run out. Will you wait longer?",
      deeds: ['Wait longer', 'Let a bot play'],
    })
    expect(told({ vote: vote('time', 0, [1]), own: { out: true } })).toMatchObject({
      says: 'Your time has run out. The others decide whether they wait; you may still move.',
      deeds: [],
    })
  })
  test('everybody who sits there ends a pause', () => {
    expect(told({ paused: 3000 })).toMatchObject({
      says: expect.stringMatching(/^The game is paused until .*\d/),
      said: [{ type: 'resume' }],
    })
    expect(told({ paused: 3000, you: null }).deeds).toEqual([])
  })
  test('whoever a bot plays for takes over again, and is told nothing of their time', () => {
    expect(told({ bot: 'builder', own: { out: true } })).toMatchObject({
      says: 'A bot plays for you.',
      said: [{ type: 'back' }],
    })
  })
  test('whoever is on vacation comes back, and whose time ran out may still move', () => {
    expect(told({ own: { off: 2000 } })).toMatchObject({
      says: expect.stringMatching(/^You are on vacation until .*\d/),
      said: [{ type: 'vacation', days: 0 }],
    })
    expect(told({ own: { off: 900 } })).toMatchObject({ says: '' })
    expect(told({ own: { out: true } })).toMatchObject({
      says: 'Your time has run out; you may still move.',
      deeds: [],
    })
  })
})
