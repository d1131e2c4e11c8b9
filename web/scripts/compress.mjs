// Writes a brotli and a gzip form beside every text of the built page, each where it is smaller than the one before; the server sends them as they are.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const folder = fileURLToPath(new URL('../../src/ziggurat/server/static', import.meta.url))
const forms = {
    gz: (text) => gzipSync(text, { level: 9 }),
    br: (text) =>
        brotliCompressSync(text, {
            params: {
                [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
                [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
            },
        }),
}

const sums = { plain: 0, br: 0, gz: 0 }
for (const name of readdirSync(folder, { recursive: true })) {
    if (!/\.(css|html|js|json|svg|txt)$/.test(name)) continue
    const file = join(folder, name)
    const text = readFileSync(file)
    sums.plain += text.length
    let least = text.length
    for (const [end, compress] of Object.entries(forms)) {
        const small = compress(text)
        if (small.length < least) writeFileSync(`${file}.${end}`, small)
        sums[end] += least = Math.min(small.length, least)
    }
}
const kilo = (bytes) => `${(bytes / 1000).toFixed(1)} kB`
console.log(`all texts: ${kilo(sums.plain)}, ${kilo(sums.br)} with brotli, ${kilo(sums.gz)} gzipped`)
