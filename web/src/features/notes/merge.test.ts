import { expect, test } from 'vitest'
import { merged } from './merge'

test('what only one window has written is taken as it is', () => {
  expect(merged('a', 'a', 'a b')).toBe('a b')
  expect(merged('a', 'a b', 'a')).toBe('a b')
  expect(merged('a', 'b', 'b')).toBe('b')
})

test('what both have written at different places stands where each of them wrote it', () => {
  expect(merged('one\ntwo\nthree', 'one!\ntwo\nthree', 'one\ntwo\nthree?')).toBe('one!\ntwo\nthree?')
  expect(merged('one two three', 'two three', 'one two')).toBe('two')
})

test('what both have written at the same place stands one below the other', () => {
  expect(merged('', 'left', 'right')).toBe('right\nleft')
  expect(merged('Blue. ', 'Blue. Towers', 'Blue. Gardens')).toBe('Blue. Gardens\nTowers')
})

test('who has gone on from what the other saved has it once', () => {
  expect(merged('', 'He takes blue', 'He takes')).toBe('He takes blue')
  expect(merged('a', 'ab', 'abc')).toBe('abc')
})

test('nothing that either window has added is lost, whatever they did', () => {
  // A generator of its own, so that each run tries the same.
  let state = 1
  const random = (below: number): number => (state = (state * 48271) % 2147483647) % below
  const edit = (text: string, word: string): string => {
    const from = random(text.length + 1)
    return text.slice(0, from) + word + text.slice(from + random(3))
  }
  for (let number = 0; number < 5000; number++) {
    const before = 'abcdefgh'.slice(0, random(9))
    const [mine, theirs] = [edit(before, '<1>'), edit(before, '<2>')]
    const both = merged(before, mine, theirs)
    expect(both, `${before}: ${mine}, ${theirs}`).toContain('<1>')
    expect(both, `${before}: ${mine}, ${theirs}`).toContain('<2>')
  }
})
