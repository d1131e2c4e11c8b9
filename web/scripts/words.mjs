// The words of the page: every catalogue of the package under the name by which the page asks for it, in the folder of its
// language. The page knows one address, that of the folder, so that it weighs the same however many languages there are, and
// a visitor fetches those of one.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LANGUAGES } from './languages.mjs'

/** The general words, those that come later, and what games are like in a sentence. */
const HOUSE = 'ziggurat'
const LATER = 'server'
const TAGLINES = 'taglines'
/** What the page itself never says: the terminal does, and the files that come before the page (`pages.mjs`). */
const ELSEWHERE = ['terminal', 'front']

const foldersIn = (folder) =>
    existsSync(folder)
        ? readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
              entry.isDirectory() && !/^[_.]/.test(entry.name) ? [entry.name] : [],
          )
        : []

/** What a game is called that has no words yet: by its folder, `tic_tac_toe`. */
const nameOf = (game) => game.replace(/(^|_)(.)/g, (_, gap, letter) => (gap && ' ') + letter.toUpperCase())

/** Reads a package's catalogues: `names` of all, `read(language, name)`, `titles(language)` of games, and the `files` of a name. */
export function wordsOf(root) {
    const games = foldersIn(join(root, 'games'))
    const general = join(root, 'text')
    const ofGame = (game) => join(root, 'games', game, 'text')
    const parts = new Set(
        [general, ...games.map(ofGame)].flatMap(foldersIn).filter((part) => !ELSEWHERE.includes(part)),
    )

    /** Of what the page may ask for there is a file, if only an empty one: it need not know which game has which part. */
    const places = { [HOUSE]: general, [LATER]: join(root, 'server', 'text') }
    for (const part of parts) places[`${HOUSE}/${part}`] = join(general, part)
    for (const game of games) {
        places[game] = ofGame(game)
        for (const part of parts) places[`${game}/${part}`] = join(ofGame(game), part)
    }
    const file = (folder, language) => join(folder, `${language}.json`)
    const json = (folder, language) => {
        const path = file(folder, language)
        return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
    }

    /** What many pages say of games of which they have nothing else: all their words would be a lot for four names. */
    function titles(language) {
        const found = {}
        for (const game of games) {
            const canBePlayed = existsSync(join(root, 'games', game, '__init__.py'))
            const name = json(ofGame(game), language).name ?? (canBePlayed ? nameOf(game) : undefined)
            if (name) found[game] = name
        }
        return found
    }

    function read(language, name) {
        if (name === `${HOUSE}/${TAGLINES}`) {
            const lines = games.map((game) => [`${TAGLINES}.${game}`, json(ofGame(game), language).tagline])
            return Object.fromEntries(lines.filter(([, line]) => line))
        }
        const words = json(places[name], language)
        if (name !== HOUSE) return words
        const called = Object.entries(titles(language)).map(([game, title]) => [`name.${game}`, title])
        return { ...words, ...Object.fromEntries(called) }
    }

    return {
        names: [...Object.keys(places), `${HOUSE}/${TAGLINES}`],
        read,
        titles,
        files: Object.values(places).flatMap((folder) => LANGUAGES.map((language) => file(folder, language))),
    }
}

/**
 * Gives the page `virtual:words`, the address of the folder, and writes the folder: `words-HASH/en/ziggurat.json`. While the page
 * is developed and tested there is no such folder, and each catalogue is read when it is asked for.
 */
export function words(root) {
    let building = false
    const written = () =>
        LANGUAGES.flatMap((language) => {
            const { names, read } = wordsOf(root)
            return names.map((name) => [`${language}/${name}.json`, JSON.stringify(read(language, name))])
        })
    const folder = () =>
        `words-${createHash('sha256').update(JSON.stringify(written())).digest('base64url').slice(0, 7)}/`
    return {
        name: 'words',
        configResolved: ({ command }) => void (building = command === 'build'),
        resolveId: (id) => (id === 'virtual:words' ? `\0${id}` : null),
        load(id) {
            if (id !== '\0virtual:words') return null
            for (const file of wordsOf(root).files) if (building && existsSync(file)) this.addWatchFile(file)
            return `export const WORDS = ${JSON.stringify(building ? folder() : '/words/')}`
        },
        generateBundle() {
            for (const [name, source] of written())
                this.emitFile({ type: 'asset', fileName: `assets/${folder()}${name}`, source })
        },
        configureServer(server) {
            server.middlewares.use('/words', (request, response, next) => {
                const found = answer(root, request.url ?? '')
                if (!found) return next()
                response.setHeader('Content-Type', 'application/json')
                response.end(JSON.stringify(found))
            })
        },
    }
}

/** The catalogue at an address such as `/words/en/ziggurat.json`, or null. */
export function answer(root, address) {
    const [, language, name] = /([a-z]+)\/([\w/]+)\.json(?:\?.*)?$/.exec(address.replace(/^.*\/words\//, '/')) ?? []
    const all = wordsOf(root)
    return all.names.includes(name) ? all.read(language, name) : null
}
