/** Which pieces travelled, read from the events of a change. */
import type { Flight, Wave } from '../../table/animator'
import { list, seatOf } from '../../table/events'
import type { Speak } from '../../lib/i18n.svelte'
import type { GameEvent } from '../../lib/wire'
import { building, money } from './view'
import type { View } from './wire'

export function flights(events: GameEvent[], view: View, say: Speak, you: number | null): Wave[] {
  const waves: Wave[] = []
  let reveals: Wave = []
  const settle = (): void => {
    if (reveals.length) waves.push(reveals)
    reveals = []
  }
  const coin = (token: string): Flight['look'] => {
    const card = money(token)
    return { ...card, letter: say(`currency.${card.currency}.letter`) }
  }
  const house = (token: string): Flight['look'] => {
    const { kind, price } = building(token)
    return { kind, price, name: say(`building.${kind}.title`) }
  }
  const purse = (seat: number, token: string): string =>
    seat === you ? `hand:${money(token).currency}` : `seat:${seat}`

  for (const event of events) {
    const { type, args } = event
    const seat = seatOf(event)
    const cards = list(args.cards)
    switch (type) {
      case 'took': {
        settle()
        const positions = list(args.positions)
        waves.push(
          cards.map((card, at) => ({ from: `money:${positions[at]}`, to: purse(seat, card), look: coin(card) })),
        )
        break
      }
      case 'bought':
      case 'gave': {
        settle()
        const token = String(args.building)
        const owner = type === 'gave' ? view.neutral : seat
        waves.push([
          ...cards.map((card) => ({ from: purse(seat, card), to: 'discard', look: coin(card) })),
          { from: `slot:${args.slot}`, to: `built:${owner}:${building(token).kind}`, look: house(token) },
        ])
        break
      }
      case 'building_revealed': {
        const place = `slot:${args.slot}`
        reveals.push({ from: 'deck:building', to: place, look: house(String(args.building)), reveals: place })
        break
      }
      case 'money_revealed': {
        const positions = list(args.positions ?? args.position)
        cards.forEach((card, at) => {
          const place = `money:${positions[at] ?? positions[0]}`
          reveals.push({ from: 'deck:money', to: place, look: coin(card), reveals: place })
        })
        break
      }
      case 'neutral_drew':
        settle()
        waves.push(
          list(args.buildings).map((token) => ({
            from: 'deck:building',
            to: `built:${view.neutral}:${building(token).kind}`,
            look: house(token),
          })),
        )
        break
      case 'leftover':
        if (seat >= 0) {
          settle()
          const token = String(args.building)
          waves.push([{ from: `slot:${args.slot}`, to: `built:${seat}:${building(token).kind}`, look: house(token) }])
        }
    }
  }
  settle()
  return waves
}
