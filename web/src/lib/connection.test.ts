import { expect, test } from 'vitest'
import { lost } from './connection.svelte'
import { Refused } from './refused'

test.each([
  'TypeError: Failed to fetch dynamically imported module: http://host/assets/Board-abc.js', // Chrome
  'TypeError: error loading dynamically imported module: http://host/assets/Board-abc.js', // Firefox
  'TypeError: Importing a module script failed.', // Safari
  'TypeError: Failed to fetch',
  'TypeError: NetworkError when attempting to fetch resource.',
  'TypeError: Load failed',
  'TypeError: The network connection was lost.',
  'Error: Unable to preload CSS for /assets/Board-abc.css',
  'Error: fetch',
])('what did not come is waited for: %s', (said) => expect(lost(said)).toBe(true))

test.each([
  "TypeError: Cannot read properties of undefined (reading 'load')",
  'Error: could not load it',
  'ReferenceError: imported is not defined',
  'SyntaxError: Cannot use import statement outside a module',
])('what came and broke is not waited for: %s', (said) => expect(lost(said)).toBe(false))

test('a refusal is an answer, unless it is that of a server that is not there', () => {
  const refusal = (status: number): Refused => new Refused({ title: '', status, detail: '' })
  expect([0, 404, 409, 500, 502, 503].map((status) => lost(refusal(status)))).toEqual([
    true,
    false,
    false,
    false,
    true,
    true,
  ])
})
