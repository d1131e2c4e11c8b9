import { beforeAll, describe, expect, test } from 'vitest'
import { speak } from '../testing/words'
import type { TableSession } from './tableSession.svelte'
import { plea, ready } from './votes'
import type { Tell } from './notes'
import type { ActivityEntry, GameEvent, SeatTime, TableInfo, UndoWish, VoteInfo } from '../lib/wire'

let tell: Tell
beforeAll(async () => {
  await speak('en')
  await ready()
  tell = ((_: TableSession, { kind, seat }: ActivityEntry) => `${seat}: ${kind}`) as Tell
})

interface Told {
  says: string
  deeds: string[]
  said: unknown[]
}

const CLOCK: SeatTime = { reserve: 60, free: 5, since: null, until: null, vacation: 0, off: null, out: false }

/** What seat 0 of three is told. */
function told(more: {
  vote?: VoteInfo
  paused?: number
  own?: Partial<SeatTime>
  bot?: string
  you?: null
  undo?: UndoWish
  log?: number
  notes?: Partial<ActivityEntry>[]
  byBot?: number
  canUndo?: 'free' | 'ask' | null
}): Told {
  const said: unknown[] = []
  const time = { control: { kind: 'live', reserve: 60, step: 5 }, seats: [{ ...CLOCK, ...more.own }], paused: null }
  const table = {
    status: 'playing',
    vote: more.vote ?? null,
    time: more.own || more.paused ? { ...time, paused: more.paused ?? null } : null,
  } as unknown as TableInfo
  const session = {
    you: more.you === null ? null : 0,
    source: {
      table,
      now: 1000,
      undo: more.undo ?? null,
      byBot: more.byBot ?? 0,
      canUndo: more.canUndo ?? null,
      log: Array.from({ length: more.log ?? 0 }, (_, n) => ({ type: `e${n}`, seat: n % 2, args: {} })),
      notes: (more.notes ?? []).map((note) => ({ seq: 9, at: 0, after: 0, seat: 1, args: {}, ...note })),
      say: (what: unknown) => (said.push(what), Promise.resolve(0)),
    },
    lines: (events: GameEvent[]) => events.map(({ type }) => `${type}.`),
    tell,
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
      says: 'seat 1 asks to end the game unfinished. Still to answer: seat 2.',
      deeds: [],
    })
    expect(told({ vote: vote('end', 1, [2]), you: null })).toMatchObject({
      says: 'seat 1 asks to end the game unfinished. Still to answer: seat 2.',
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
  test('an undo says which move it is about, by the words of the log, to everybody', () => {
    const undo = { by: 1, asked: [0, 2], events: 4, move: 3 }
    expect(told({ undo, log: 9 })).toEqual({
      says: 'seat 1 would like to undo: e5. e7. Do you agree? What came after it is undone, too.',
      deeds: ['I agree', 'Let it stand'],
      said: [
        { type: 'undo_answer', agree: true },
        { type: 'undo_answer', agree: false },
      ],
    })
    expect(told({ undo: { ...undo, asked: [2], events: 3 }, log: 8, you: null })).toEqual({
      says: 'seat 1 asks to undo: e5. e7. Still to answer: seat 2.',
      deeds: [],
      said: [],
    })
    expect(told({ undo: { by: 0, asked: [1], events: 1, move: 1 }, log: 9 })).toEqual({
      says: 'You asked to undo: e8. Still to answer: seat 1.',
      deeds: ['Never mind'],
      said: [{ type: 'undo_answer', agree: false }],
    })
  })
  test('who refused is said until something else happens, and not to themselves', () => {
    for (const kind of ['undo_no', 'vote_no']) {
      expect(told({ notes: [{ kind, after: 5 }], log: 5 }).says).toBe(`1: ${kind}`)
      expect(told({ notes: [{ kind, after: 5 }], log: 6 }).says).toBe('')
      expect(told({ notes: [{ kind, after: 5, seat: 0 }], log: 5 }).says).toBe('')
    }
    expect(told({ notes: [{ kind: 'away', after: 5 }], log: 5 }).says).toBe('')
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
  test('whoever is back reads how much a bot has played, and may want it back', () => {
    expect(told({ byBot: 3, canUndo: 'ask' })).toEqual({
      says: 'A bot made 3 moves for you while you were gone; the log has them.',
      deeds: ['Ask to take them back'],
      said: [{ type: 'undo' }],
    })
    expect(told({ byBot: 1, canUndo: 'free' }).deeds).toEqual(['Take them back'])
    expect(told({ byBot: 1 })).toMatchObject({ says: expect.stringMatching(/^A bot made 1 move for you/), deeds: [] })
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
