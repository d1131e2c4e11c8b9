// Counts with the pads of the page, for `python -m tests.games.pads`: questions on the input, one a line of JSON, answers on the
// output. A question: { game, players, options, typed, printed? }; printed numbers hold until others come.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'vite'

const web = fileURLToPath(new URL('..', import.meta.url))
const bundled = await build({
    root: web,
    configFile: false,
    logLevel: 'error',
    build: { ssr: join(web, 'src/features/box/pads.ts'), write: false, minify: false },
})
const folder = mkdtempSync(join(tmpdir(), 'pad-'))
const pads = await (async () => {
    try {
        for (const { fileName, code } of bundled.output) {
            const file = join(folder, fileName)
            mkdirSync(dirname(file), { recursive: true })
            writeFileSync(file, code)
        }
        const entry = bundled.output.find(({ isEntry }) => isEntry).fileName
        writeFileSync(join(folder, 'package.json'), '{"type": "module"}')
        const found = await import(pathToFileURL(join(folder, entry)).href)
        const loaded = {}
        return { found, of: async (game) => (loaded[game] ??= await found.padOf(game)) }
    } finally {
        process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
    }
})()

let printed
for await (const line of createInterface({ input: process.stdin })) {
    const question = JSON.parse(line)
    const pad = await pads.of(question.game)
    printed = question.printed ?? printed
    const setting = { players: question.players, options: question.options, printed }
    const { form, sheet, faults } = pads.found.judge(pad, setting, question.typed)
    const cells = new Set(pads.found.cellsOf(form).map(({ id }) => id))
    const answer = {
        totals: sheet.totals,
        winners: sheet.winners,
        faults: faults.filter(({ sure }) => sure).map(({ cells, words }) => [words.key, cells]),
        unknown: Object.keys(question.typed).filter((id) => !cells.has(id)),
        said: [...new Set(Object.values(sheet.told).flatMap((words) => words.map(({ key }) => key)))],
    }
    process.stdout.write(`${JSON.stringify(answer)}\n`)
}
