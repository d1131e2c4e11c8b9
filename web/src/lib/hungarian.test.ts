import { expect, it } from 'vitest'
import table from '../../../tests/suffixes.json'
import { hungarian } from './hungarian'

// The table that the package's own grammar is held to as well (tests/core/test_hungarian.py).
const { spoken, 'last words': lasts, az, a, ...suffixes } = table
const words = spoken.split(' ')
const TENS = ['', 'tizen', 'huszon', 'harminc', 'negyven', 'ötven', 'hatvan', 'hetven', 'nyolcvan', 'kilencven']

function say(n: number): string {
  if (n < 10) return words[n]!
  if (n < 100) return n === 10 ? 'tíz' : n === 20 ? 'húsz' : TENS[Math.floor(n / 10)]! + (n % 10 ? say(n % 10) : '')
  if (n < 1000) return (n < 200 ? '' : say(Math.floor(n / 100))) + 'száz' + (n % 100 ? say(n % 100) : '')
  return 'ezer'
}

const last = (n: number): number =>
  words.reduce((best, word, at) => (say(n).endsWith(word) && word.length > (words[best]?.length ?? 0) ? at : best), -1)

it.each(Object.entries(suffixes))('numbers take -%s as it is spoken', (suffix, row) => {
  const forms = row.split(' ')
  for (let n = 0; n <= 1000; n++) expect(hungarian(String(n), suffix)).toBe(`${n}\u2011${forms[last(n)]}`)
  lasts.forEach((n, at) => expect(hungarian(String(n), suffix)).toBe(`${n}\u2011${forms[at]}`))
})

it('the article goes by the first sound', () => {
  for (let n = 0; n <= 1000; n++) expect([n, hungarian(String(n))]).toEqual([n, /^[eö]/.test(say(n)) ? 'az' : 'a'])
  for (const one of az) expect([one, hungarian(String(one))]).toEqual([one, 'az'])
  for (const one of a) expect([one, hungarian(String(one))]).toEqual([one, 'a'])
})

it('what ends without a number has no suffix', () => {
  expect(hungarian('két', 'szor')).toBe('két')
})
