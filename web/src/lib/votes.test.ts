import { describe, expect, test, vi } from 'vitest'
import type { TableSession } from './tableSession.svelte'
import { plea } from './votes'
import type { SeatTime, TableInfo, VoteInfo } from './wire'

// Each text is its key.
vi.mock('./i18n.svelte', () => ({ t: (key: string) => key, texts: { language: 'en' } }))
vi.mock('./catalogue', () => ({ words: async () => undefined }))

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
      says: 'vote.pause.question',
      deeds: ['vote.yes', 'vote.no'],
      said: [
        { type: 'vote', agree: true },
        { type: 'vote', agree: false },
      ],
    })
  })
  test('whoever asks may take it back, and whoever has answered waits', () => {
    expect(told({ vote: vote('end', 0, [1, 2]) })).toMatchObject({ says: 'vote.end.own', deeds: ['vote.withdraw'] })
    expect(told({ vote: vote('end', 1, [2]) })).toMatchObject({ says: 'vote.end.waiting', deeds: [] })
    expect(told({ vote: vote('end', 1, [2]), you: null })).toMatchObject({ says: 'vote.end.waiting', deeds: [] })
  })
  test('the others wait for somebody whose time ran out, or a bot plays', () => {
    expect(told({ vote: vote('time', 1, [0]) })).toMatchObject({
      says: 'vote.time.question',
      deeds: ['vote.time.yes', 'vote.time.no'],
    })
    expect(told({ vote: vote('time', 0, [1]), own: { out: true } })).toMatchObject({ says: 'vote.time.own', deeds: [] })
  })
  test('everybody who sits there ends a pause', () => {
    expect(told({ paused: 3000 })).toMatchObject({ says: 'vote.paused', said: [{ type: 'resume' }] })
    expect(told({ paused: 3000, you: null }).deeds).toEqual([])
  })
  test('whoever a bot plays for takes over again, and is told nothing of their time', () => {
    expect(told({ bot: 'builder', own: { out: true } })).toMatchObject({ says: 'vote.bot', said: [{ type: 'back' }] })
  })
  test('whoever is on vacation comes back, and whose time ran out may still move', () => {
    expect(told({ own: { off: 2000 } })).toMatchObject({ says: 'vote.off', said: [{ type: 'vacation', days: 0 }] })
    expect(told({ own: { off: 900 } })).toMatchObject({ says: '' })
    expect(told({ own: { out: true } })).toMatchObject({ says: 'time.out.own', deeds: [] })
  })
})
