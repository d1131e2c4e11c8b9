import { svelte } from '@sveltejs/vite-plugin-svelte'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import type { VitestPluginContext } from 'vitest/node'
import { gamesIn } from './scripts/games.mjs'
import { locales, names, wholeUnits } from './scripts/languages.mjs'
import { pageWords, writePages } from './scripts/pages.mjs'
import { words } from './scripts/words.mjs'
import { WINDOWS } from './src/lib/windows.ts'

const server = process.env.ZIGGURAT_SERVER ?? 'http://127.0.0.1:8000'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const PACKAGE = at('../src/ziggurat')

/**
 * `virtual:games`: what there is of each game (`scripts/games.mjs`); `virtual:languages`, and `virtual:language-names` for the
 * pages where one is chosen (`scripts/languages.mjs`).
 */
function declared() {
  const features = readdirSync(at('src/features'))
  const found = () => gamesIn(join(PACKAGE, 'games'), at('src/games'), at('../docs/games'), features)
  return {
    name: 'declared',
    resolveId: (id: string) => (/^virtual:(games|languages|language-names)$/.test(id) ? `\0${id}` : null),
    load(this: { addWatchFile: (file: string) => void }, id: string) {
      const tell = (known: object) =>
        Object.entries(known)
          .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`)
          .join('\n')
      if (id === '\0virtual:languages') return tell({ LOCALES: locales, WHOLE_UNITS: wholeUnits })
      if (id === '\0virtual:language-names') return tell({ NAMES: names })
      if (id !== '\0virtual:games') return null
      const { ways, figures, files } = found()
      for (const file of files) this.addWatchFile(file)
      return tell({ ways, figures })
    },
    transformIndexHtml: (html: string, { server }: { server?: unknown }) => (server ? pageWords(html, PACKAGE) : html),
    writeBundle: ({ dir }: { dir?: string }) => writePages(PACKAGE, dir!),
  }
}

interface Modules {
  getModuleInfo(id: string): { isEntry: boolean; importers: readonly string[] } | null
}

/** Whether a module comes with the page, whatever is looked at: the entry imports it, or what it imports does. */
function comesAtOnce(id: string, modules: Modules, seen = new Set([id])): boolean {
  const importers = (modules.getModuleInfo(id)?.importers ?? []).filter((one) => !seen.has(one))
  return importers.some((one) => modules.getModuleInfo(one)?.isEntry || comesAtOnce(one, modules, seen.add(one)))
}

/** Whether only a board and its drawers are made with a module, and neither another page nor a picture beside no board. */
function ofBoard(id: string, modules: Modules, seen = new Set([id])): boolean {
  if (!/\/games\/\w+\//.test(id) || /\/(Thumbnail|PadPicture)\.svelte$/.test(id)) return false
  const importers = (modules.getModuleInfo(id)?.importers ?? []).filter((one) => !seen.has(one))
  return importers.every((one) => ofBoard(one, modules, seen.add(one)))
}

/** Whether a module comes with a board; what only other pages share weighs nothing on a table. */
function onBoard(id: string, modules: Modules, seen = new Set([id])): boolean {
  if (/\/games\/\w+\/Board\.svelte$/.test(id)) return true
  const importers = (modules.getModuleInfo(id)?.importers ?? []).filter((one) => !seen.has(one))
  return importers.some((one) => onBoard(one, modules, seen.add(one)))
}

/** How seats are named and marked: on every table, and in the list of tables of people who have some. */
const SEATS = /web\/src\/(table\/names\.ts|parts\/PlayerMark\.svelte)$/

/** What only forms need of Svelte: it comes with the first page that has one. */
const FORMS = /svelte\/src\/internal\/client\/dom\/elements\/bindings\/(select|input|size)\.js$/

/**
 * Style sheets are written in pixels of a small screen, and everything grows with a large one: lengths become parts of the
 * root's font size (`html` in base.css, 15 pixels and more). What stays: hairlines, the queries about the window, and
 * the fonts and movements of drawings, which have units of their own. `calc(20 * 1px)` are 20 pixels everywhere.
 */
const growing = {
  postcssPlugin: 'growing',
  Declaration(one: { prop: string; value: string }) {
    if (/^(font|transform|stroke)/.test(one.prop)) return
    one.value = one.value.replace(/(\d*\.?\d+)px/g, (same, px) => (px > 1.5 ? `${+(px / 15).toFixed(3)}rem` : same))
  },
  AtRule(one: { name: string; params: string }) {
    if (one.name !== 'container') return
    one.params = one.params.replace(/(\d+)px/g, (_, px) => `${+(px / 15).toFixed(3)}rem`)
  },
}

/** `@media (--small)`: each window that has a name is written out. */
const windows = {
  postcssPlugin: 'windows',
  AtRule(one: { name: string; params: string }) {
    if (one.name !== 'media') return
    one.params = one.params.replace(/\(--(\w+)\)/g, (_, name) => {
      if (!(name in WINDOWS)) throw new Error(`no window is called ${name} (src/lib/windows.ts)`)
      return WINDOWS[name as keyof typeof WINDOWS]
    })
  },
}

/** How components are compiled for tests, which see no styles. */
const UNSTYLED = {
  configFile: false as const,
  compilerOptions: { runes: true, dev: false },
}

/**
 * What was compiled for tests is kept, but of a module that finds others by a pattern: whether it finds the same is not seen
 * in it. Vitest knows such modules only where the pattern has no type.
 */
const patterns = {
  name: 'patterns',
  configureVitest({ experimental_defineCacheKeyGenerator: keyed }: VitestPluginContext) {
    keyed(({ sourceCode }) => (sourceCode.includes('import.meta.glob') ? false : undefined))
  },
}

interface Compiling {
  getModuleInfo(id: string): { meta: { svelte?: { css?: unknown } } } | null
}

/**
 * The style sheet of a component is asked for when the component is compiled, and on a busy machine sometimes before the
 * bundler knows what came of it. The plugin then reads the component itself as a style sheet (sveltejs/vite-plugin-svelte
 * #1192): it waits here until there is one.
 */
const compiledStyles = {
  name: 'compiled-styles',
  enforce: 'pre' as const,
  apply: 'build' as const,
  load: {
    filter: { id: /\.svelte\?.*svelte&type=style/ },
    async handler(this: Compiling, id: string): Promise<null> {
      const [component] = id.split('?')
      for (let looks = 0; looks < 1000 && !this.getModuleInfo(component!)?.meta.svelte?.css; looks++) {
        await new Promise((go) => setTimeout(go, 10))
      }
      return null
    },
  },
}

/** Tests of components; `isolate`: with modules of their own, for what is about a page that knows nothing yet. */
const dom = (name: string, include: string[], exclude: string[], isolate: boolean) => ({
  extends: true as const,
  resolve: { conditions: ['browser'] },
  test: { name, include, exclude, isolate, environment: 'happy-dom', setupFiles: ['src/testing/setUp.ts'] },
})

export default defineConfig({
  // Relative addresses: the page works wherever the server mounts it, because the router lives in the fragment.
  base: './',
  plugins: [compiledStyles, svelte(process.env.VITEST ? UNSTYLED : {}), declared(), words(PACKAGE), patterns],
  css: { postcss: { plugins: [growing, windows] } },
  build: {
    outDir: '../src/ziggurat/server/static',
    emptyOutDir: true,
    target: 'es2022',
    // The content security policy allows nothing inline, not even data: images.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // With a board comes at once all that it is made of; of anything else only what it looks like: a name of a script in the
      // shell costs more than the moment that it saves.
      resolveDependencies: (file, names) =>
        /\/(Board|Thumbnail)-/.test(file) ? names : names.filter((name) => name.endsWith('.css')),
    },
    reportCompressedSize: true,
    manifest: true,
    rolldownOptions: {
      // A file of a game in the making may be empty still; `npm run check` finds what is missing by mistake.
      shimMissingExports: true,
      output: {
        // Every name stands in several files, and its hash cannot be compressed.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        entryFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        codeSplitting: {
          // One script and one style sheet before anything is seen, instead of a dozen of a kilobyte that wait in line.
          groups: [
            {
              debugName: 'shell',
              name: (id, modules) => ((comesAtOnce(id, modules) && !FORMS.test(id)) || SEATS.test(id) ? 'shell' : null),
            },
            // And one of each for what the boards have in common.
            {
              debugName: 'table',
              name: (id, modules) => (onBoard(id, modules) ? 'table' : null),
              test: /web\/src\/(lib|parts|table|features)\//,
              minShareCount: 3,
            },
            // What a board and its drawers have in common is one piece.
            {
              debugName: 'board',
              name: (id, modules) =>
                onBoard(id, modules) && ofBoard(id, modules) ? /\/games\/(\w+)\//.exec(id)![1]! : null,
              minShareCount: 2,
              includeDependenciesRecursively: false,
            },
            // What the parts have in common that come later.
            { name: 'later', test: /web\/src\/(lib\/catalogue|table\/(clock|timing))\.ts/ },
            // What the pages have in common on which people come together.
            { name: 'terms', test: /web\/src\/(table\/(terms\.ts|waitingRoom\.ts|Agreed)|parts\/(CopyLink|doors))/ },
          ],
        },
      },
    },
  },
  server: {
    fs: { allow: ['..'] },
    proxy: { '/api': { target: server, ws: true }, '/schema': { target: server } },
  },
  test: {
    // A machine may be as slow as it likes.
    testTimeout: 120_000,
    // Two threads, in each of which all is read once; what was compiled is kept from run to run.
    experimental: { fsModuleCache: true },
    pool: 'threads',
    isolate: false,
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: 'plain', include: ['src/**/*.test.ts'], exclude: ['src/**/*.dom.test.ts'] } },
      dom('dom', ['src/**/*.dom.test.ts'], ['src/**/*.alone.dom.test.ts'], false),
      dom('alone', ['src/**/*.alone.dom.test.ts'], [], true),
    ],
  },
})
