// Fails when a key or a placeholder is missing in one language, or when the pages use a key that no catalogue defines.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const web = fileURLToPath(new URL('..', import.meta.url))
const source = join(web, '../src/ziggurat')
const LANGUAGES = ['en', 'hu']
const problems = []

const read = (folder, language) => JSON.parse(readFileSync(join(folder, `${language}.json`), 'utf8'))
const folders = (path) => readdirSync(path).filter((name) => statSync(join(path, name)).isDirectory())
const files = (path) =>
    readdirSync(path, { recursive: true })
        .map((name) => join(path, name))
        .filter((name) => /\.(svelte|ts)$/.test(name) && !name.endsWith('.test.ts'))

/** Names of the placeholders: `{a}`, `{a.form}`, `{a, plural, one {# of {b}} other {#}}`. */
function placeholders(pattern) {
    const found = new Set()
    const walk = (text) => {
        for (let at = 0; at < text.length; at++) {
            if (text[at] !== '{') continue
            const end = closing(text, at)
            const inner = text.slice(at + 1, end)
            const plural = /^\s*(\w+)\s*,\s*plural\s*,/.exec(inner)
            found.add(plural ? plural[1] : inner.trim().split('.')[0])
            // The forms of a plural are texts of their own, whatever words they consist of.
            if (plural) {
                for (let from = plural[0].length; (from = inner.indexOf('{', from)) >= 0;) {
                    const to = closing(inner, from)
                    walk(inner.slice(from + 1, to))
                    from = to
                }
            }
            at = end
        }
    }
    walk(pattern)
    return [...found].sort().join(' ')
}

function closing(text, start) {
    let depth = 0
    for (let at = start; at < text.length; at++) {
        if (text[at] === '{') depth += 1
        else if (text[at] === '}' && --depth === 0) return at
    }
    return text.length
}

function compare(where, catalogues) {
    const [first, second] = LANGUAGES
    for (const [one, other] of [
        [first, second],
        [second, first],
    ]) {
        for (const key of Object.keys(catalogues[one])) {
            if (!(key in catalogues[other])) problems.push(`${where}: ${key} is missing in ${other}`)
        }
    }
    for (const [key, pattern] of Object.entries(catalogues[first])) {
        const translated = catalogues[second][key]
        if (translated !== undefined && placeholders(pattern) !== placeholders(translated)) {
            problems.push(
                `${where}: ${key} has {${placeholders(pattern)}} in ${first}, {${placeholders(translated)}} in ${second}`,
            )
        }
        if (pattern === '' || translated === '') problems.push(`${where}: ${key} is empty`)
    }
}

const load = (folder) => Object.fromEntries(LANGUAGES.map((language) => [language, read(folder, language)]))
const general = load(join(source, 'text'))
compare('general', general)
const games = {}
for (const game of folders(join(source, 'games'))) {
    const folder = join(source, 'games', game, 'text')
    if (!statSync(folder, { throwIfNoEntry: false })) continue
    games[game] = load(folder)
    compare(game, games[game])
}

/** A literal key must exist; of a template's key at least the beginning and the end must. */
function defined(key, keys) {
    if (!key.includes('${')) return keys.has(key)
    const [start, ...rest] = key.split(/\$\{[^}]*\}/)
    const end = rest.at(-1)
    return [...keys].some((one) => one.startsWith(start) && one.endsWith(end))
}

const CALL = /\b(t|say|say\.has|key)[(:]\s*(['"`])((?:(?!\2).)+)\2/g
for (const file of files(join(web, 'src'))) {
    const text = readFileSync(file, 'utf8')
    const game = /games[\\/](\w+)[\\/]/.exec(relative(web, file))?.[1]
    // The shell may ask any game for what every game has.
    const words = game ? [games[game]] : Object.values(games)
    for (const [, call, , key] of text.matchAll(CALL)) {
        const wanted = key.startsWith('ui.') ? [general] : words
        if (call === 't' && !key.startsWith('ui.')) continue
        if (call === 'say.has' && key.includes('${')) continue
        const lacking = wanted.filter(Boolean).filter((catalogue) => !defined(key, new Set(Object.keys(catalogue.en))))
        // What the shell asks for with a `has` first, not every game has.
        const optional = !game && text.includes(`say.has('${key}')`)
        if (lacking.length > (optional ? wanted.length - 1 : 0))
            problems.push(`${relative(web, file)}: ${key} is used and not defined`)
    }
}

for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exit(1)
console.log('texts: both languages are complete')
