// Tells the service worker what the pad is made of: the page, its parts, fonts, and its words, which it keeps in the languages
// in which it was opened. Nothing else is kept.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LANGUAGES } from './languages.mjs'

const PAD = 'src/features/box/Box.svelte'
// What comes around it: the way to a page of a feature, and what is said over every page.
const AROUND = [
    'src/pages/OfFeature.svelte',
    'src/pages/LaterNotices.svelte',
    'src/features/moderation/HouseNotices.svelte',
]
/** What the page says everywhere and the names of games, and what the pad says; and what changes words in a language. */
const SPOKEN = /^(\w+|\w+\/box)\.json$/
const LATER = 'server.json'
const GRAMMAR = /\/hungarian\./
const folder = fileURLToPath(new URL('../../src/ziggurat/server/static', import.meta.url))
const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'))

/** A chunk and those that come with it. */
function chunks(name, seen = new Set()) {
    if (seen.has(name)) return seen
    seen.add(name)
    for (const one of manifest[name].imports ?? []) chunks(one, seen)
    return seen
}

const entry = Object.keys(manifest).find((name) => manifest[name].name === 'shell')
// With the pictures and the counting of every game. What the page has at once comes with its fonts.
const parts = [PAD, ...AROUND, ...(manifest[PAD]?.dynamicImports ?? [])].filter((name) => name in manifest)
const all = new Set(parts.flatMap((name) => [...chunks(name)]))
const files = new Set(manifest[entry].assets)
for (const name of all) for (const file of [manifest[name].file, ...(manifest[name].css ?? [])]) files.add(file)
for (const [name, { file }] of Object.entries(manifest)) if (GRAMMAR.test(name)) files.add(file)

const words = readdirSync(join(folder, 'assets'), { withFileTypes: true }).find(
    (entry) => entry.isDirectory() && entry.name.startsWith('words-'),
).name
const spoken = readdirSync(join(folder, 'assets', words, LANGUAGES[0]), { recursive: true })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => SPOKEN.test(name) && name !== LATER)
    .sort()
    .reverse() // `ziggurat` is the first

const worker = join(folder, 'sw.js')
const text = readFileSync(worker, 'utf8')
const filled = {
    "['%PAD%']": [manifest[entry].file, ...files].filter((file, at, list) => list.indexOf(file) === at),
    "'%FOLDER%'": `assets/${words}/`,
    "['%WORDS%']": spoken.map((name) => name.replace(/\.json$/, '')),
}
let written = text
for (const [place, value] of Object.entries(filled)) {
    if (!written.includes(place)) throw new Error(`sw.js has no place ${place}`)
    written = written.replace(place, JSON.stringify(value))
}
writeFileSync(worker, written)
