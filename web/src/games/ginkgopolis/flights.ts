/** Which pieces travelled, read from the events of a change. */
import type { Flight, Wave } from '../../table/animator'
import { list, seatOf } from '../../table/events'
import type { GameEvent } from '../../lib/wire'
import { isLetter, placeOf, same, type At, type View } from './view'

const fewer = (count: unknown, most = 4): null[] => Array<null>(Math.min(Number(count) || 0, most)).fill(null)
const cell = ({ x, y }: At): string => `at:${x},${y}`

export function flights(events: GameEvent[], view: View, home: number | null): Wave[] {
  const waves: Wave[] = []
  let last = ''
  /** What follows each other and is of one kind flies together. */
  const join = (kind: string, all: Flight[]): void => {
    if (all.length === 0) return
    if (kind !== last) waves.push([])
    last = kind
    waves.at(-1)!.push(...all)
  }
  const goods = (seat: number, good: string): string => (seat === home ? `${good}s` : `seat:${seat}`)
  const yields = (from: string, seat: number, { resources, points }: GameEvent['args']): Flight[] =>
    (
      [
        ['resource', resources],
        ['point', points],
      ] as const
    )
      .filter(([, count]) => Number(count) > 0)
      .map(([good, count]) => ({ from, to: goods(seat, good), look: { good, count: Number(count), seat } }))
  /** What I lay down and turn over at once never lay on the table: it comes out of my hand. */
  const sudden = events.some((event) => event.type === 'committed' && seatOf(event) === home)
  const laid = (seat: number, tile: string): string => (seat === home && sudden ? `tile:${tile}` : `laid:${seat}`)
  /** Where the card that acts has its building: what is gained comes from there. */
  let source = 'supply'
  const named = (token: string): string => {
    const at = isLetter(token) ? undefined : placeOf(view, token)
    return at ? cell(at) : 'supply'
  }

  for (const event of events) {
    const { type, args } = event
    const seat = seatOf(event)
    switch (type) {
      case 'committed':
        join('committed', [
          {
            from: seat === home ? 'hand' : `seat:${seat}`,
            to: `laid:${seat}`,
            look: { card: null },
            reveals: `laid:${seat}`,
          },
        ])
        break
      case 'exploited':
        source = named(String(args.card))
        break
      case 'fell_back':
        join('back', [{ from: `laid:${seat}`, to: goods(seat, 'tile'), look: { tile: String(args.tile) } }])
        break
      case 'urbanized': {
        const at = { x: Number(args.x), y: Number(args.y) }
        // A building that was covered again since is not this one.
        const stands = view.buildings.some((one) => same(one, at) && `${one.colour} ${one.number}` === args.tile)
        source = cell(at)
        join(`built ${seat}`, [
          {
            from: laid(seat, String(args.tile)),
            to: source,
            look: { tile: String(args.tile) },
            ...(stands ? { reveals: source } : {}),
          },
        ])
        break
      }
      case 'constructed':
        source = named(String(args.tile))
        join(`built ${seat}`, [{ from: laid(seat, String(args.tile)), to: source, look: { tile: String(args.tile) } }])
        break
      case 'gained':
        join('gained', yields(source, seat, args))
        break
      case 'got_back':
        join('gained', yields(source, seat, args))
        break
      case 'drew_tiles':
        join(
          'tiles',
          fewer(args.count).map(() => ({ from: 'supply', to: goods(seat, 'tile'), look: { tile: null } })),
        )
        break
      case 'returned':
        join(
          'tiles back',
          fewer(args.count).map(() => ({ from: goods(seat, 'tile'), to: 'supply', look: { tile: null } })),
        )
        break
      case 'marker_moved':
      case 'marker_shifted':
        join('marker', [
          {
            from: `marker:${args.marker}`,
            to: `marker:${args.marker}`,
            look: { marker: String(args.marker) },
            reveals: `marker:${args.marker}`,
          },
        ])
        break
      case 'new_hand':
        join('discard', [{ from: seat === home ? 'hand' : `seat:${seat}`, to: 'discard', look: { card: null } }])
        break
      case 'passed_hands': {
        // Every hand goes to the left neighbour at once.
        const people = view.builders.filter(({ hal }) => !hal).map((one) => one.seat)
        if (people.length > 1)
          join(
            'passed',
            people.map((from, at) => {
              const to = people[(at + 1) % people.length]!
              const place = (who: number): string => (who === home ? 'hand' : `seat:${who}`)
              return { from: place(from), to: place(to), look: { card: null } }
            }),
          )
        break
      }
      case 'rebuilt':
        join('rebuilt', [{ from: 'discard', to: 'deck', look: { card: null } }])
        break
      case 'drew_cards':
        if (seat === home)
          join(
            'cards',
            list(args.cards).map((card) => ({
              from: 'deck',
              to: `hand:${card}`,
              look: { card },
              reveals: `hand:${card}`,
            })),
          )
    }
  }
  return waves
}
