/**
 * Imports of the page point one way: lib <- parts <- table <- pages, features, games. Nobody imports a feature: they are
 * found by what they tell of themselves (`table/feature.ts`).
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import { describe, expect, test } from 'vitest'

/** A feature of which the server knows nothing. */
const OF_THE_PAGE = 'box'
/** What each folder stands on; what stands in none puts all of it together. */
const BELOW: Record<string, string[]> = {
  art: [],
  styles: [],
  lib: [],
  parts: ['lib'],
  table: ['lib', 'parts'],
  games: ['art', 'lib', 'parts', 'styles', 'table'],
  features: ['lib', 'parts', 'table'],
  pages: ['lib', 'parts', 'table'],
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

/** The imports of a file that point the wrong way. */
function wrongIn(file: string, text: string): string[] {
  const [folder, name] = placeOf(file)
  const below = folder ? BELOW[folder] : Object.keys(BELOW).filter((one) => one !== 'features')
  if (!below) return [`${folder}/ is no folder of the page`]
  return importsOf(file, text).filter((to) => {
    const [where, what] = placeOf(to)
    return !(where === folder && what === name) && !below.includes(where)
  })
}

describe('imports', () => {
  test('point one way', () => {
    expect(sources.length).toBeGreaterThan(200)
    expect(sources.flatMap(([file, text]) => wrongIn(file, text).map((to) => `${file} imports ${to}`))).toEqual([])
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
    ['features/talk/new.ts', "import {\n  day,\n  when,\n} from '../groups/groups'"],
    ['features/talk/New.svelte', "import Home from '../../pages/Home.svelte'"],
    ['features/talk/new.ts', "import App from '../../App.svelte'"],
    ['games/go/New.svelte', "import Pad from '../../features/box/Pad.svelte'"],
    ['games/go/new.ts', "import { shapes } from '../chess/shapes'"],
    ['pages/New.svelte', "import Board from '../games/go/Board.svelte'"],
    ['pages/New.svelte', "import('../features/talk/TalkPanel.svelte')"],
    ['App.svelte', "import('./features/groups/Group.svelte')"],
    ['things/new.ts', "import { t } from '../lib/i18n.svelte'"],
  ])('a wrong one is found: %s, %s', (file, text) => {
    expect(wrongIn(file, text)).toHaveLength(1)
  })

  test.each([
    ['parts/New.svelte', "import { t } from '../lib/i18n.svelte'\nimport Icon from './Icon.svelte'"],
    ['parts/New.svelte', "import.meta.glob('../games/*/Piece.svelte')"],
    ['table/plain/New.svelte', "import TableTop from '../TableTop.svelte'"],
    ['table/new.ts', "import.meta.glob('../features/*/feature.ts')"],
    ['features/groups/New.svelte', "import { day } from './groups'\nimport Page from '../../table/Page.svelte'"],
    ['games/go/New.svelte', "import End from '../../table/End.svelte'\nimport Site from './Site.svelte'"],
    ['App.svelte', "import('./pages/Home.svelte')"],
  ])('a right one is none of them: %s, %s', (file, text) => {
    expect(wrongIn(file, text)).toEqual([])
  })
})

test('features are called as on the server', () => {
  const folders = readdirSync('src/features').sort()
  expect(folders).toEqual(folders.filter((name) => existsSync(`src/features/${name}/feature.ts`)))
  const known = readdirSync('../src/ziggurat/server/features')
  expect(folders.filter((name) => !known.includes(name) && name !== OF_THE_PAGE)).toEqual([])
})
