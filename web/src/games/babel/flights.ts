/** Which pieces travelled, read from the events of a change. */
import type { Flight, Wave } from '../../table/animator'
import type { GameEvent } from '../../lib/wire'
import { list, seatOf } from '../../table/events'

const fewer = (count: unknown, most = 3): null[] => Array<null>(Math.min(Number(count) || 0, most)).fill(null)

export function flights(events: GameEvent[], home: number | null): Wave[] {
  const waves: Wave[] = []
  /** Points of the same moment rise together, and so do all houses, and all cards that go back. */
  const together: Record<string, Flight[]> = {}
  let last = ''
  const join = (kind: string, all: Flight[]): void => {
    if (kind !== last) {
      together[kind] = []
      waves.push(together[kind]!)
    }
    last = kind
    together[kind]!.push(...all)
  }
  const hand = (seat: number, card?: string): string => (seat === home && card ? `hand:${card}` : `seat:${seat}`)
  let disc = ''
  let wonder = ''

  for (const event of events) {
    const { type, args } = event
    const seat = seatOf(event)
    switch (type) {
      case 'chose':
        disc = `disc:${args.wonder}:${Number(args.space) - 1}`
        break
      case 'laid':
        join(
          'laid',
          Array.from({ length: Number(args.count) }, (_, at) => ({
            from: `seat:${seat}`,
            to: `offer:${seat}:${at}`,
            look: { card: 'back' },
            reveals: `offer:${seat}:${at}`,
          })),
        )
        break
      case 'accepted':
        wonder = String(args.wonder)
        disc = `disc:${wonder}:${Number(args.space) - 1}`
        join('paid', [
          ...list(args.cards).map((card) => ({ from: hand(seat, card), to: `site:${wonder}`, look: { card } })),
          ...(args.seats as number[]).flatMap((giver) =>
            fewer(7, 7).map((_, at) => ({
              from: `offer:${giver}:${at}`,
              to: `site:${wonder}`,
              look: { card: 'back' },
            })),
          ),
        ])
        break
      case 'placed':
        join('placed', [
          { from: `seat:${seat}`, to: `site:${args.wonder}`, look: { house: seat, count: Number(args.units) } },
        ])
        break
      case 'built': {
        const needs = Object.fromEntries(
          list(args.needs).map((token): [string, number] => [token.split(' ')[0]!, Number(token.split(' ')[1])]),
        )
        join('built', [{ from: disc, to: `discs:${seat}`, look: { needs } }])
        break
      }
      case 'refused':
        if (Number(args.points) > 0)
          join('points', [{ from: `offer:${seat}:0`, to: `score:${seat}`, look: { points: Number(args.points) } }])
        break
      case 'wonder_scored':
        join('scored', [{ from: `site:${args.wonder}`, to: `score:${seat}`, look: { points: Number(args.points) } }])
        break
      case 'got_action':
        join('action', [
          { from: 'actions', to: seat === home ? `actions:${seat}` : `seat:${seat}`, look: { card: 'back' } },
        ])
        break
      case 'drew':
        join(
          'drew',
          fewer(args.count).map(() => ({ from: 'deck', to: `seat:${seat}`, look: { card: 'back' } })),
        )
        break
      case 'closing':
        join(
          'closing',
          (args.counts as number[]).flatMap((count, at) =>
            fewer(count).map(() => ({ from: 'deck', to: `seat:${at}`, look: { card: 'back' } })),
          ),
        )
    }
  }
  return waves.filter((wave) => wave.length > 0)
}
