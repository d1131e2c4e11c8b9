// Fails when a table weighs more than it may: the shell with the board of one game, and each part that comes later. Each has a
// bound of its own, so that another game takes nothing from those that are there. What is too large stands last, with a mark.
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const PAGE = 80_000
const LATER = 20_000
const folder = fileURLToPath(new URL('../../src/ziggurat/server/static', import.meta.url))
const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'))

/** A chunk and those that come with it. */
function chunks(name, seen = new Set()) {
    if (seen.has(name)) return seen
    seen.add(name)
    for (const one of manifest[name].imports ?? []) chunks(one, seen)
    return seen
}

/** Scripts and styles that come with a chunk: its own and those of what it imports. */
function files(name) {
    const all = [...chunks(name)].flatMap((one) => [manifest[one].file, ...(manifest[one].css ?? [])])
    return new Set(all.filter((file) => /\.(js|css)$/.test(file)))
}

/** What a chunk loads when it is needed. */
const later = (name) => [...chunks(name)].flatMap((one) => manifest[one].dynamicImports ?? [])

const sizes = new Map()
function weight(names) {
    let sum = 0
    for (const name of names) {
        if (!sizes.has(name)) sizes.set(name, gzipSync(readFileSync(join(folder, name)), { level: 9 }).length)
        sum += sizes.get(name)
    }
    return sum
}

const weighed = []
function weigh(what, names, bound) {
    weighed.push({ what, size: weight(names), bound })
}

// What comes at once, whatever is looked at (vite.config.ts); the entry is part of it.
const entry = Object.keys(manifest).find((name) => manifest[name].name === 'shell')
const shell = files(entry)
console.log(`shell: ${(weight(shell) / 1000).toFixed(1)} kB gzipped`)
// What the shell loads is a page beside it, also by way of the modules that know the plain board and the features. What a
// board loads while it is played, a drawer, comes after the first sight.
const LISTS = ['src/table/plainGame.ts', 'src/table/features.ts']
const pages = [...new Set([entry, ...LISTS].flatMap(later))]
for (const page of pages) weigh(page, new Set([...shell, ...files(page)]), PAGE)
const all = Object.keys(manifest).filter((name) => name === entry || manifest[name].isDynamicEntry)
for (const drawer of all.filter((name) => name !== entry && !pages.includes(name))) {
    const page = pages.find((name) => later(name).includes(drawer))
    const known = new Set([...shell, ...(page ? files(page) : [])])
    weigh(`${drawer}, later`, new Set([...files(drawer)].filter((file) => !known.has(file))), LATER)
}
// Only this check reads it.
rmSync(join(folder, '.vite'), { recursive: true })

const isTooLarge = ({ size, bound }) => size > bound
const kilo = (bytes) => `${(bytes / 1000).toFixed(2)} kB`
// By how much room is left, the least last.
weighed.sort((one, other) => other.bound - other.size - (one.bound - one.size))
for (const one of weighed) {
    const over = isTooLarge(one) ? `, TOO LARGE by ${one.size - one.bound} bytes` : ''
    console.log(`${over ? '✗' : ' '} ${one.what}: ${kilo(one.size)} gzipped of ${one.bound / 1000}${over}`)
}
if (weighed.some(isTooLarge)) process.exit(1)
