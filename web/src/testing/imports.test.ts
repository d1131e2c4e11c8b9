/** Imports of the page point one way: lib <- parts <- table <- features <- pages; a game stands on lib, parts and table. */
import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import { describe, expect, test } from 'vitest'

/** A feature, and what of others it uses. */
const FEATURES: Record<string, string[]> = {
  box: [],
  daily: [],
  groups: ['people'],
  lessons: [],
  moderation: [],
  notifications: [],
  open_tables: ['notifications'],
  people: ['notifications'],
  programs: [],
  puzzles: [],
  review: [],
  talk: [],
}
/** Files of the table that know features above it still. Both lists are what there is, so they only become shorter. */
const REACH_UP: Record<string, string[]> = {
  'table/End.svelte': ['daily', 'review'],
  'table/Leave.svelte': ['people'],
  'table/Settings.svelte': ['notifications', 'talk'],
  'table/TableTop.svelte': ['review'],
  'table/TermsForm.svelte': ['open_tables'],
  'table/Turns.svelte': ['notifications'],
  'table/tableSession.svelte.ts': ['review', 'talk'],
}
/** Features of the page of which the server knows nothing, or which lie on its floors. */
const OF_THE_PAGE = ['box', 'people']
/** What each folder stands on; what stands in none puts all of it together. */
const BELOW: Record<string, string[]> = {
  art: [],
  styles: [],
  lib: [],
  parts: ['lib'],
  table: ['lib', 'parts'],
  games: ['art', 'lib', 'parts', 'styles', 'table'],
  features: ['lib', 'parts', 'table'],
  pages: ['features', 'lib', 'parts', 'table'],
}

/** Tests run in `web/`. A test may look at whatever it likes, and so may what only tests use. */
const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => /\.(svelte|ts|css)$/.test(path) && !/\.test\.ts$|^testing\//.test(path))
const sources = files.map((file): [string, string] => [file, readFileSync(`src/${file}`, 'utf8')])

/** What a file imports, whenever and if only for its types. The pieces of games are found by patterns, whichever there are. */
function importsOf(file: string, text: string): string[] {
  return [...text.matchAll(/\b(?:from|import)\s*\(?\s*(['"`])(\.[^'"`]+)\1/g)]
    .map(([, , to]) => join(dirname(file), to!))
    .filter((to) => !to.startsWith('..'))
}

/** The folder in which a file stands, or for a feature or a game the names of both. */
function placeOf(file: string): [string, string] {
  const [first, second] = file.split('/')
  return file.includes('/') ? [first!, ['features', 'games'].includes(first!) ? second! : ''] : ['', '']
}

/** Of what a file imports the features, without its own. */
function featuresOf(file: string, text: string): string[] {
  const used = importsOf(file, text)
    .map(placeOf)
    .filter(([folder, name]) => folder === 'features' && placeOf(file).join('/') !== `features/${name}`)
  return [...new Set(used.map(([, name]) => name))].sort()
}

/** The imports of a file that point the wrong way. */
function wrongIn(file: string, text: string): string[] {
  const [folder, name] = placeOf(file)
  const below = BELOW[folder]
  if (!below) return folder ? [`${folder}/ is no folder of the page`] : []
  const known = folder === 'features' ? (FEATURES[name] ?? []) : (REACH_UP[file] ?? [])
  return importsOf(file, text).filter((to) => {
    const [where, what] = placeOf(to)
    const own = where === folder && what === name
    return !own && !below.includes(where) && !(where === 'features' && known.includes(what))
  })
}

describe('imports', () => {
  test('point one way', () => {
    expect(sources.length).toBeGreaterThan(200)
    expect(sources.flatMap(([file, text]) => wrongIn(file, text).map((to) => `${file} imports ${to}`))).toEqual([])
  })

  test('up and aside are those of the lists, and all of them', () => {
    const up: Record<string, string[]> = {}
    const aside: Record<string, string[]> = Object.fromEntries(Object.keys(FEATURES).map((name) => [name, []]))
    for (const [file, text] of sources) {
      const [folder, name] = placeOf(file)
      const used = featuresOf(file, text)
      if (folder === 'features') aside[name] = [...new Set([...(aside[name] ?? []), ...used])].sort()
      else if (folder && folder !== 'pages' && used.length) up[file] = used
    }
    expect(up).toEqual(REACH_UP)
    expect(aside).toEqual(FEATURES)
  })

  test.each([
    ['lib/new.ts', "import Icon from '../parts/Icon.svelte'"],
    ['lib/new.ts', "import type { TableSession } from '../table/tableSession.svelte'"],
    ['parts/New.svelte', "const late = () => import('../table/End.svelte')"],
    ['parts/New.svelte', "export { MESSAGE } from '../features/talk/drawings'"],
    ['table/New.svelte', "<Lazy load={() => import('../features/review/Review.svelte')} />"],
    ['table/plain/New.svelte', "import Calendar from '../../features/daily/Calendar.svelte'"],
    ['table/TableTop.svelte', "import '../features/talk/drawings'"],
    ['table/new.ts', "import { places } from '../games/go/moves'"],
    ['features/talk/new.ts', "import {\n  day,\n  when,\n} from '../people/people'"],
    ['features/talk/New.svelte', "import Home from '../../pages/Home.svelte'"],
    ['features/talk/new.ts', "import App from '../../App.svelte'"],
    ['games/go/New.svelte', "import Pad from '../../features/box/Pad.svelte'"],
    ['games/go/new.ts', "import { shapes } from '../chess/shapes'"],
    ['pages/New.svelte', "import Board from '../games/go/Board.svelte'"],
    ['things/new.ts', "import { t } from '../lib/i18n.svelte'"],
  ])('a wrong one is found: %s, %s', (file, text) => {
    expect(wrongIn(file, text)).toHaveLength(1)
  })

  test.each([
    ['parts/New.svelte', "import { t } from '../lib/i18n.svelte'\nimport Icon from './Icon.svelte'"],
    ['parts/New.svelte', "import.meta.glob('../games/*/Piece.svelte')"],
    ['table/plain/New.svelte', "import TableTop from '../TableTop.svelte'"],
    ['table/TableTop.svelte', "import('../features/review/Stepper.svelte')"],
    [
      'features/groups/New.svelte',
      "import { day } from '../people/people'\nimport Page from '../../table/Page.svelte'",
    ],
    ['games/go/New.svelte', "import End from '../../table/End.svelte'\nimport Site from './Site.svelte'"],
    ['pages/New.svelte', "import('../features/talk/TalkPanel.svelte')"],
    ['App.svelte', "import('./features/people/People.svelte')"],
  ])('a right one is none of them: %s, %s', (file, text) => {
    expect(wrongIn(file, text)).toEqual([])
  })
})

test('features are called as on the server', () => {
  const folders = readdirSync('src/features').sort()
  expect(folders).toEqual(Object.keys(FEATURES))
  const known = readdirSync('../src/ziggurat/server/features')
  expect(folders.filter((name) => !known.includes(name))).toEqual(OF_THE_PAGE)
})
