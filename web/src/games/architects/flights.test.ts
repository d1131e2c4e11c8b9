import { describe, expect, it } from 'vitest'
import type { GameEvent } from '../../lib/wire'
import { flights } from './flights'

const event = (type: string, seat: number | null, args: GameEvent['args']): GameEvent => ({ type, seat, args })
const legs = (...events: GameEvent[]): string[][] =>
  flights(events, 0).map((wave) => wave.map(({ from, to }) => `${from} > ${to}`))

describe('what travels', () => {
  it('a card goes to its kind in front of you, or to the seat of somebody else', () => {
    expect(legs(event('took', 0, { cards: ['wood'], deck: 'giza' }))).toEqual([['deck:giza > cards:wood']])
    expect(legs(event('took', 2, { cards: ['wood'], deck: 'central' }))).toEqual([['deck:central > seat:2']])
  })
  it('a token on offer leaves the place where the next one is turned up', () => {
    const claimed = event('claimed', 0, { cards: ['gear', 'gear'], token: 'culture', stack: false })
    const revealed = event('token_revealed', null, { place: 2, token: 'science' })
    expect(legs(claimed, revealed)).toEqual([
      ['cards:gear > discard', 'cards:gear > discard', 'offer:2 > tokens:0'],
      ['stack > offer:2'],
    ])
  })
  it('the top token of the stack comes from there', () => {
    expect(legs(event('granted', 1, { token: 'decor', stack: true }))).toEqual([['stack > seat:1']])
  })
  it('a battle brings tokens to whoever won', () => {
    expect(legs(event('battle', null, { won: [0, 2, 0] }))).toEqual([
      ['conflict > military:1', 'conflict > military:1'],
    ])
  })
})
