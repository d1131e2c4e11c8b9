// Tells the service worker its version: a build in which anything is different has another one.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../../src/ziggurat/server/static', import.meta.url))
const worker = join(folder, 'sw.js')
const hash = createHash('sha256')
for (const name of readdirSync(folder, { recursive: true }).sort()) {
    const file = join(folder, name)
    if (statSync(file).isFile()) hash.update(name).update(readFileSync(file))
}
const text = readFileSync(worker, 'utf8')
if (!text.includes('%VERSION%')) throw new Error('sw.js has no place for its version')
writeFileSync(worker, text.replace('%VERSION%', hash.digest('hex').slice(0, 16)))
