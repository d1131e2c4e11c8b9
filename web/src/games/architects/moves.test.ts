import { describe, expect, it } from 'vitest'
import { targets } from '../../table/moves'
import type { Description } from '../../lib/wire'
import type { Move } from './view'

const common = { action: 0, notation: '' }
const move = (step: Move): Description => ({ notation: '', words: { key: '', args: {} }, steps: [step] })

describe('the places of a move', () => {
  const architects = { offer: ['science', 'crafts', null], looked: { deck: 'giza', cards: [] } }
  const places = (step: Move, seat: number, own: boolean) => targets('architects', architects, seat, own, move(step))

  it('are decks', () => {
    const drawn: Move = { ...common, type: 'draw', side: 'left', deck: 'rhodes', card: 'wood' }
    expect(places(drawn, 1, false)).toEqual(['deck:rhodes'])
    const kept: Move = { ...common, type: 'keep', card: 'coin' }
    expect(places(kept, 1, false)).toEqual(['deck:giza'])
  })
  it('is the card among those that are looked at, for whoever keeps it', () => {
    expect(places({ ...common, type: 'keep', card: 'coin' }, 0, true)).toEqual(['keep:coin', 'deed:0'])
  })
  it('are the stage, and the cards for whoever pays', () => {
    const cards = ['wood', 'coin']
    const flags = { payment: 1, economy: true, engineering: false, points: 3, forced: true }
    const built: Move = { ...common, type: 'build', stage: 2, cards, ...flags }
    expect(places(built, 0, true)).toEqual(['stage:0:2', 'cards:wood', 'cards:coin', 'deed:0'])
    expect(places(built, 1, false)).toEqual(['stage:1:2'])
  })
  it('are tokens where they lie on offer', () => {
    const claim: Move = { ...common, type: 'claim', cards: ['gear', 'gear'], token: 'crafts', forced: true }
    expect(places(claim, 1, false)).toEqual(['offer:1'])
    expect(places({ ...common, type: 'take_token', token: 'stack' }, 1, false)).toEqual(['stack'])
  })
  it('are those of the player, when there is nothing else to point at', () => {
    expect(places({ ...common, type: 'end' }, 2, false)).toEqual(['seat:2'])
  })
})
