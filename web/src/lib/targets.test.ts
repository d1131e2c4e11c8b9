import { describe, expect, it } from 'vitest'
import { forEverybody, targets } from './targets'

describe('the places of a move', () => {
  const alhambra = {
    money: [
      { currency: 'blue', value: 5 },
      { currency: 'green', value: 3 },
      { currency: 'blue', value: 5 },
    ],
    slots: [{ currency: 'yellow' }, { currency: 'green' }],
  }
  it('are cards by where they lie, also when two are alike', () => {
    expect(targets('alhambra', alhambra, 0, true, 'take blue 5#3 green 3')).toEqual(['money:2', 'money:1'])
    expect(targets('alhambra', alhambra, 0, true, 'take green 3')).toEqual(['money:1'])
  })
  it('are the cards of a payment for whoever pays, and for others what is bought', () => {
    const buy = 'buy tower 7 green with 4 4'
    expect(targets('alhambra', alhambra, 0, true, buy)).toEqual(['slot:1', 'green-4-1', 'green-4-2'])
    expect(targets('alhambra', alhambra, 1, false, buy)).toEqual(['slot:1'])
  })

  const architects = {
    players: 3,
    offer: ['science', 'crafts', null],
    decks: ['giza', 'rhodes', 'olympia'].map((wonder, seat) => ({ wonder, seat })),
  }
  it('are decks from where the player sits', () => {
    expect(targets('architects', architects, 1, false, 'draw left')).toEqual(['deck:rhodes'])
    expect(targets('architects', architects, 0, true, 'draw right')).toEqual(['deck:olympia'])
    expect(targets('architects', architects, 0, true, 'extra science central')).toEqual(['deck:central'])
    expect(targets('architects', architects, 0, true, 'build 2 with wood coin2')).toEqual([
      'stage:0:2',
      'cards:wood',
      'cards:coin',
    ])
    expect(targets('architects', architects, 1, false, 'claim gear gear for crafts')).toEqual(['offer:1'])
  })
  it('are called alike by everybody', () => {
    expect(forEverybody(architects, 1, 'draw right')).toBe('take giza')
    expect(forEverybody(architects, 1, 'extra science left')).toBe('extra science rhodes')
    expect(forEverybody(architects, 1, 'build 1 with stone glass')).toBe('build 1 with stone glass')
  })

  it('are discs, cards and offers', () => {
    const view = { players: 3, chosen: { wonder: 'zeus', space: 1 } }
    expect(targets('babel', view, 0, true, 'choose zeus 2')).toEqual(['disc:zeus:1'])
    expect(targets('babel', view, 0, true, 'offer ship ship mason with trade')).toContain('hand:mason')
    expect(targets('babel', view, 0, false, 'offer ship')).toEqual(['seat:0'])
    expect(targets('babel', view, 0, true, 'accept 2 3')).toEqual(['offer:1:*', 'offer:2:*'])
    expect(targets('babel', view, 0, true, 'accept none')).toEqual(['disc:zeus:1'])
  })

  const city = {
    players: 2,
    buildings: [
      { colour: 'red', number: 7, x: 0, y: 0 },
      { colour: 'blue', number: 2, x: 1, y: 0 },
    ],
    markers: [
      { letter: 'A', x: 0, y: 0 },
      { letter: 'L', x: 2, y: 0 },
    ],
    moving: 'A',
  }
  it('are buildings, and beside them those that are still empty', () => {
    expect(targets('ginkgopolis', city, 0, true, 'play red 7 with blue 9')).toEqual([
      'at:0,0',
      'hand:red 7',
      'tile:blue 9',
    ])
    expect(targets('ginkgopolis', city, 0, false, 'play L with blue 9')).toEqual(['marker:L'])
    expect(targets('ginkgopolis', city, 0, true, 'move north')).toEqual([['at:0,0', 0, -1]])
    expect(targets('ginkgopolis', city, 0, true, 'move to 3 1')).toEqual([['at:1,0', 2, -1]])
    expect(targets('ginkgopolis', city, 0, true, 'shift before')).toEqual(['marker:L'])
  })
  it('are those of the player, when there is nothing else to point at', () => {
    expect(targets('architects', architects, 2, false, 'end')).toEqual(['seat:2'])
    expect(targets('go', {}, 1, false, 'D4')).toEqual(['seat:1'])
  })
})
