import { beforeAll, expect, test } from 'vitest'
import { placed, said } from './levels'
import { texts } from '../../lib/i18n.svelte'
import { need } from '../../lib/parts'

const RUNGS = ['apprentice', 'mason', 'builder', 'architect', 'master']

beforeAll(async () => {
  await texts.speak('en')
  await need('levels')
})

test.each([
  [-0.6, 'On the way to Apprentice'],
  [-0.05, 'About as good as Apprentice'],
  [0.5, 'Between Apprentice and Mason'],
  [2.1, 'About as good as Builder'],
  [2.4, 'Between Builder and Architect'],
  [3.95, 'About as good as Master'],
  [4.6, 'Beyond Master'],
])('a level of %f is "%s"', (level, words) => {
  expect(said(level, RUNGS)).toBe(words)
})

test.each([
  [-1, 'below Apprentice'],
  [1.25, 'Mason and a bit'],
  [1.5, 'midway from Mason to Builder'],
  [1.8, 'nearly Builder'],
  [2, 'Builder'],
  [5, 'above Master'],
])('the end of a range at %f is "%s"', (level, words) => {
  expect(placed(level, RUNGS)).toBe(words)
})
