/** Which pieces travelled, read from the events of a change. */
import type { Flight, Wave } from '../../table/animator'
import { list, seatOf } from '../../table/events'
import type { GameEvent } from '../../lib/wire'

export function flights(events: GameEvent[], home: number): Wave[] {
  const waves: Wave[] = []
  const purse = (seat: number, card: string): string => (seat === home ? `cards:${card}` : `seat:${seat}`)
  const rack = (seat: number): string => (seat === home ? `tokens:${seat}` : `seat:${seat}`)
  const spent = (seat: number, cards: string[]): Flight[] =>
    cards.map((card) => ({ from: purse(seat, card), to: 'discard', look: { card } }))
  /** Where tokens lay on offer before this change is known only from what came in their place. */
  let taken: { seat: number; token: string; stack: boolean; cards: string[] } | null = null
  const take = (place: number): void => {
    if (!taken) return
    const { seat, token, stack, cards } = taken
    const from = stack ? 'stack' : `offer:${place}`
    waves.push([...spent(seat, cards), { from, to: rack(seat), look: { token } }])
    taken = null
  }

  for (const event of events) {
    const { type, args } = event
    const seat = seatOf(event)
    const cards = list(args.cards)
    switch (type) {
      case 'took':
        waves.push(cards.map((card) => ({ from: `deck:${args.deck}`, to: purse(seat, card), look: { card } })))
        break
      case 'cat':
        waves.push([{ from: 'cat', to: 'cat', look: { icon: 'cat' }, reveals: 'cat' }])
        break
      case 'built':
      case 'disarmed':
        waves.push(spent(seat, cards))
        break
      case 'claimed':
      case 'granted':
        take(0)
        taken = { seat, token: String(args.token), stack: Boolean(args.stack), cards }
        if (taken.stack) take(0)
        break
      case 'token_revealed': {
        const place = `offer:${args.place}`
        take(Number(args.place))
        waves.push([{ from: 'stack', to: place, look: { token: String(args.token) }, reveals: place }])
        break
      }
      case 'battle':
        waves.push(
          (args.won as number[]).flatMap((count, at) =>
            Array.from({ length: count }, () => ({ from: 'conflict', to: `military:${at}`, look: { icon: 'war' } })),
          ),
        )
    }
  }
  take(0)
  return waves.filter((wave) => wave.length > 0)
}
