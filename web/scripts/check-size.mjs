// Fails when scripts and styles together, lazily loaded ones included, weigh more than the budget.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const BUDGET = 80_000
const assets = fileURLToPath(new URL('../../src/ziggurat/server/static/assets', import.meta.url))
const sizes = readdirSync(assets)
    .filter((name) => /\.(js|css)$/.test(name))
    .map((name) => gzipSync(readFileSync(join(assets, name)), { level: 9 }).length)
const total = sizes.reduce((sum, size) => sum + size, 0)

console.log(`scripts and styles: ${(total / 1000).toFixed(1)} kB gzipped of ${BUDGET / 1000}`)
if (total > BUDGET) process.exit(1)
