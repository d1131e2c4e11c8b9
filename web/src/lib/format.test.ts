import { describe, expect, it } from 'vitest'
import { format, placeholders, type Words } from './format'

const catalogue: Record<string, string> = {
  'building.arcades': 'árkádok',
  'building.arcades.acc': 'árkádokat',
  'currency.blue': 'kék',
  'cards.blue': 'kék',
}
const hu: Words = {
  language: 'hu',
  lookup: (key) => catalogue[key],
  seatName: (seat) => ['Anna', 'Béla', 'Csilla'][seat] ?? '?',
}

describe('format', () => {
  it('puts plain numbers and texts in their places', () => {
    expect(format('{a} + {b} = {c}', { a: 1, b: 2, c: 'three' }, hu)).toBe('1 + 2 = three')
  })
  it('looks a word up under the name of its argument and keeps what follows', () => {
    expect(format('{building}', { building: 'arcades 8' }, hu)).toBe('árkádok 8')
  })
  it('asks for the form that the sentence needs', () => {
    expect(format('megveszi: {building.acc}', { building: 'arcades' }, hu)).toBe('megveszi: árkádokat')
  })
  it('falls back to the plain word when a form is missing', () => {
    expect(format('{currency.acc}', { currency: 'blue' }, hu)).toBe('kék')
  })
  it('names players', () => {
    expect(format('{seat}: {winners}', { seat: 1, winners: [0, 2] }, hu)).toBe('Béla: Anna és Csilla')
  })
  it('joins lists of tokens, also under a singular key', () => {
    expect(format('{cards}; {buildings}', { cards: ['blue 5', 'blue 3'], buildings: ['arcades 4'] }, hu)).toBe(
      'kék 5 és kék 3; árkádok 4',
    )
  })
  it('counts what a list holds several times', () => {
    expect(format('{cards}', { cards: ['blue 5', 'blue 3', 'blue 5'] }, hu)).toBe('2 × kék 5 és kék 3')
    expect(format('{shields}', { shields: [0, 2, 0] }, hu)).toBe('0, 2 és 0')
  })
  it('says phrases within a phrase', () => {
    const gains = [1, 2].map((count) => ({ key: 'gain', args: { count } }))
    const words = { ...hu, lookup: (key: string) => (key === 'gain' ? '{count} lapka' : undefined) }
    expect(format('kapsz: {gains}', { gains }, words)).toBe('kapsz: 1 lapka és 2 lapka')
    expect(format('kapsz: {gains}', { gains: gains[0]! }, words)).toBe('kapsz: 1 lapka')
  })
  it('chooses plural forms in the language, with # for the number', () => {
    const pattern = '{n, plural, =0 {none} one {# card of {seat}} other {# cards}}'
    const en = { ...hu, language: 'en' }
    expect(format(pattern, { n: 0, seat: 0 }, en)).toBe('none')
    expect(format(pattern, { n: 1, seat: 0 }, en)).toBe('1 card of Anna')
    expect(format(pattern, { n: 5, seat: 0 }, en)).toBe('5 cards')
  })
  it('shows an argument that is missing instead of hiding it', () => {
    expect(format('{gone}', {}, hu)).toBe('{gone}')
  })
})

describe('placeholders', () => {
  it('finds names inside plural forms too', () => {
    expect(placeholders('{n, plural, one {# of {seat}} other {#}} {building.acc}')).toEqual(['building', 'n', 'seat'])
  })
})
