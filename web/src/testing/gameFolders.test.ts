import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { gamesIn } from '../../scripts/games.mjs'
import { wordsOf } from '../../scripts/words.mjs'

let folder = ''
const put = (path: string, text = ''): void => {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
const ALL = ['box', 'daily', 'lessons', 'puzzles']
const look = (features = ALL): { ways: object; figures: object; files: string[] } =>
  gamesIn(join(folder, 'games'), join(folder, 'boards'), join(folder, 'docs'), features)
const titles = (language: string): object => wordsOf(folder).titles(language)

beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'games-'))))
afterEach(() => rmSync(folder, { recursive: true }))

test('a game of which there is a record and no more is no obstacle', () => {
  put('games/go/components.toml')
  put('games/go/state.py')
  put('games/__init__.py')
  put('games/__pycache__/go.pyc')
  expect(look().ways).toEqual({})
  expect(titles('en')).toEqual({})
})

test('a game with rules alone can be played, and is called by its folder', () => {
  put('games/tic_tac_toe/__init__.py', 'GAME = bind(__package__)')
  expect(look().ways).toEqual({ tic_tac_toe: ['day'] })
  for (const language of ['en', 'hu']) expect(titles(language)).toEqual({ tic_tac_toe: 'Tic Tac Toe' })
  // What is not there is not watched.
  expect(look().files).toEqual([])
  put('games/tic_tac_toe/figures.json', '{"minutes": {"2": 5}, "level": 1}')
  expect(look().files.length).toBe(1)
})

test('what a game is called needs no more than its name', () => {
  put('games/go/text/en.json', '{"name": "Go", "log.put": "{seat} puts a stone"}')
  put('games/go/text/hu.json', '{"name": "Gó", "tagline": "Kövek"}')
  expect([titles('en'), titles('hu')]).toEqual([{ go: 'Go' }, { go: 'Gó' }])
  const { read } = wordsOf(folder)
  expect([read('en', 'ziggurat/taglines'), read('hu', 'ziggurat/taglines')]).toEqual([{}, { 'taglines.go': 'Kövek' }])
  expect(read('hu', 'ziggurat')).toEqual({ 'name.go': 'Gó' })
})

test('whatever the page may ask for has a file, and what only others say has none', () => {
  put('games/go/__init__.py')
  put('games/go/text/learn/en.json', '{"learn.first": "Put a stone."}')
  put('text/en.json', '{"ui.go": "Go on"}')
  put('text/box/en.json', '{"box.title": "Score pad"}')
  for (const part of ['terminal', 'front']) put(`text/${part}/en.json`, '{"said": "elsewhere"}')
  const { names, read } = wordsOf(folder)
  const parts = [
    'go',
    'go/box',
    'go/learn',
    'server',
    'ziggurat',
    'ziggurat/box',
    'ziggurat/learn',
    'ziggurat/taglines',
  ]
  expect([...names].sort()).toEqual(parts)
  expect(read('en', 'go/learn')).toEqual({ 'learn.first': 'Put a stone.' })
  expect(read('en', 'go/box')).toEqual({})
  expect(read('en', 'ziggurat')).toEqual({ 'ui.go': 'Go on', 'name.go': 'Go' })
})

test('lessons, a pad, puzzles and rules in words are each there by themselves', () => {
  for (const game of ['go', 'chess', 'hex', 'nim']) put(`games/${game}/__init__.py`)
  put('games/go/lessons/1-capture.toml')
  put('games/chess/puzzles.xz')
  put('games/chess/lessons/notes.txt')
  put('games/hex/state.py')
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
  put('games/go/__init__.py')
  put('games/go/lessons/1-capture.toml')
  put('docs/go/rules.en.md')
  expect(look(['box', 'daily']).ways).toEqual({ go: ['day', 'rules'] })
  expect(look([]).ways).toEqual({ go: ['rules'] })
})

test('how many play, for how long, and how hard it is, is known of games that say it', () => {
  for (const game of ['go', 'hex']) put(`games/${game}/__init__.py`)
  put('games/go/figures.json', '{"minutes": {"2": 40, "3": 60}, "level": 3}')
  expect(look().figures).toEqual({ go: { fewest: 2, most: 3, minutes: [40, 60], level: 3 } })
})
