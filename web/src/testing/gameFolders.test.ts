import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { gamesIn } from '../../scripts/games.mjs'

let folder = ''
const put = (path: string, text = ''): void => {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
const ALL = ['box', 'daily', 'lessons', 'puzzles']
const look = (features = ALL): { titles: object; ways: object; figures: object; taglines: object; files: string[] } =>
  gamesIn(join(folder, 'rules'), join(folder, 'boards'), join(folder, 'docs'), features)

beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'games-'))))
afterEach(() => rmSync(folder, { recursive: true }))

test('a game of which there is a record and no more is no obstacle', () => {
  put('rules/go/components.toml')
  put('rules/go/state.py')
  put('rules/__init__.py')
  put('rules/__pycache__/go.pyc')
  expect(look()).toMatchObject({ titles: { go: { en: {}, hu: {} } }, ways: {} })
  expect(Object.keys(look().titles)).toEqual(['go'])
  expect(look().ways).toEqual({})
})

test('a game with rules alone can be played, and is called by its folder', () => {
  put('rules/tic_tac_toe/__init__.py', 'GAME = bind(__package__)')
  const name = 'Tic Tac Toe'
  expect(look()).toMatchObject({
    titles: { tic_tac_toe: { en: { name }, hu: { name } } },
    ways: { tic_tac_toe: ['day'] },
  })
  // What is not there is not watched.
  expect(look().files).toEqual([])
  put('rules/tic_tac_toe/figures.json', '{"minutes": {"2": 5}, "level": 1}')
  expect(look().files.length).toBe(1)
})

test('what a game is called needs no more than its name', () => {
  put('rules/go/text/en.json', '{"name": "Go", "log.put": "{seat} puts a stone"}')
  put('rules/go/text/hu.json', '{"name": "Gó", "tagline": "Kövek"}')
  expect(look().titles).toEqual({ go: { en: { name: 'Go' }, hu: { name: 'Gó' } } })
  expect(look().taglines).toEqual({ go: { hu: 'Kövek' } })
})

test('lessons, a pad, puzzles and rules in words are each there by themselves', () => {
  for (const game of ['go', 'chess', 'hex', 'nim']) put(`rules/${game}/__init__.py`)
  put('rules/go/lessons/1-capture.toml')
  put('rules/chess/puzzles.xz')
  put('rules/chess/lessons/notes.txt')
  put('rules/hex/state.py')
  put('boards/hex/PadPicture.svelte')
  put('docs/nim/rules.hu.md')
  put('docs/go/events.md')
  expect(look().ways).toEqual({
    chess: ['day', 'find'],
    go: ['learn', 'day'],
    hex: ['day', 'box'],
    nim: ['day', 'rules'],
  })
})

test('where a feature is gone no game leads to it', () => {
  put('rules/go/__init__.py')
  put('rules/go/lessons/1-capture.toml')
  put('docs/go/rules.en.md')
  expect(look(['box', 'daily']).ways).toEqual({ go: ['day', 'rules'] })
  expect(look([]).ways).toEqual({ go: ['rules'] })
})

test('how many play, for how long, and how hard it is, is known of games that say it', () => {
  for (const game of ['go', 'hex']) put(`rules/${game}/__init__.py`)
  put('rules/go/figures.json', '{"minutes": {"2": 40, "3": 60}, "level": 3}')
  expect(look().figures).toEqual({ go: { fewest: 2, most: 3, minutes: [40, 60], level: 3 } })
})
