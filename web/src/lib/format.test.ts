import { describe, expect, it } from 'vitest'
import shared from '../../../tests/patterns.json'
import { hungarian } from './hungarian'
import { format, type Words } from './format'
import type { Args } from './wire'

// The cases that the package's own reader of the catalogues is held to as well.
describe.each(['en', 'hu', 'de'] as const)('format in %s', (language) => {
  const catalogue: Record<string, string> = shared.words[language]
  const words: Words = {
    language,
    lookup: (key) => catalogue[key],
    seatName: (seat) => shared.seats[seat] ?? '?',
    grammar: language === 'hu' ? hungarian : undefined,
  }
  it.each(shared.cases)('$pattern with $args', (one) => {
    expect(format(one.pattern, one.args as unknown as Args, words)).toBe(one[language])
  })
})
