// Fails when a table weighs more than it may: the shell with the board of one game, and all games together.
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const PAGE = 80_000
const TOTAL = 130_000
const folder = fileURLToPath(new URL('../../src/ziggurat/server/static', import.meta.url))
const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'))

/** Scripts and styles that come with a chunk: its own and those of what it imports. */
function files(name, found = new Set(), seen = new Set()) {
    if (seen.has(name)) return found
    seen.add(name)
    const { file, css = [], imports = [] } = manifest[name]
    for (const one of [file, ...css]) if (/\.(js|css)$/.test(one)) found.add(one)
    for (const one of imports) files(one, found, seen)
    return found
}

const sizes = new Map()
function weight(names) {
    let sum = 0
    for (const name of names) {
        if (!sizes.has(name)) sizes.set(name, gzipSync(readFileSync(join(folder, name)), { level: 9 }).length)
        sum += sizes.get(name)
    }
    return sum
}

let failed = false
function check(what, names, budget) {
    const size = weight(names)
    console.log(`${what}: ${(size / 1000).toFixed(1)} kB gzipped of ${budget / 1000}`)
    if (size > budget) failed = true
}

const entry = Object.keys(manifest).find((name) => manifest[name].isEntry)
const shell = files(entry)
console.log(`shell: ${(weight(shell) / 1000).toFixed(1)} kB gzipped`)
const boards = Object.keys(manifest).filter((name) => manifest[name].isDynamicEntry)
for (const board of boards) check(board, new Set([...shell, ...files(board)]), PAGE)
check('everything', new Set([...shell, ...boards.flatMap((board) => [...files(board)])]), TOTAL)
// Only this check reads it.
rmSync(join(folder, '.vite'), { recursive: true })
if (failed) process.exit(1)
