// Tells the service worker what the pad is made of: the page, its parts, words in all languages, fonts. Nothing else is kept.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PAD = 'src/features/box/Box.svelte'
// What comes around it: the way to a page of a feature, and what is said over every page.
const AROUND = [
    'src/pages/OfFeature.svelte',
    'src/pages/LaterNotices.svelte',
    'src/features/moderation/HouseNotices.svelte',
]
const WORDS = /\/text\/box\/|\/hungarian\./
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
// With the pictures and the counting of every game. What the page has at once comes with all its words and fonts.
const parts = [PAD, ...AROUND, ...(manifest[PAD]?.dynamicImports ?? [])].filter((name) => name in manifest)
const all = new Set(parts.flatMap((name) => [...chunks(name)]))
const files = new Set(manifest[entry].assets)
for (const name of all) for (const file of [manifest[name].file, ...(manifest[name].css ?? [])]) files.add(file)
for (const [name, { file }] of Object.entries(manifest)) if (WORDS.test(name)) files.add(file)

const worker = join(folder, 'sw.js')
const text = readFileSync(worker, 'utf8')
const place = "['%PAD%']"
if (!text.includes(place)) throw new Error('sw.js has no place for the files of the pad')
writeFileSync(
    worker,
    text.replace(
        place,
        JSON.stringify([manifest[entry].file, ...files].filter((file, at, list) => list.indexOf(file) === at)),
    ),
)
