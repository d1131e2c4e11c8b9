// What a browser gets before the page has its words, in each language: `index.html`, what is shown without a connection, and what
// an installed page is called. `index.hu.html` stands beside `index.html`, and the server sends whoever asks theirs.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { LANGUAGES } from './languages.mjs'
import { wordsOf } from './words.mjs'

const FILES = ['index.html', 'offline.html', 'manifest.webmanifest']
const IN_HTML = { '&': '&amp;', '<': '&lt;', '"': '&quot;' }

/** Fills the places of a file, `%front.coming%`, in a language. */
export function pageWords(text, root, language = LANGUAGES[0], html = true) {
    const words = JSON.parse(readFileSync(join(root, 'text', 'front', `${language}.json`), 'utf8'))
    const games = Object.values(wordsOf(root).titles(language)).sort((one, other) => one.localeCompare(other, language))
    const known = { 'front.language': language, ...words }
    return text.replace(/%(front\.[a-z_]+)%/g, (_, key) => {
        if (!(key in known)) throw new Error(`there is no text ${key} in ${language}`)
        const said = known[key].replace('{games}', games.join(', '))
        return html ? said.replace(/[&<"]/g, (sign) => IN_HTML[sign]) : JSON.stringify(said).slice(1, -1)
    })
}

/** Writes the files of a built page in every language. */
export function writePages(root, folder) {
    for (const name of FILES.filter((one) => existsSync(join(folder, one)))) {
        const [text, end] = [readFileSync(join(folder, name), 'utf8'), extname(name)]
        for (const [at, language] of LANGUAGES.entries()) {
            const called = at ? `${name.slice(0, -end.length)}.${language}${end}` : name
            writeFileSync(join(folder, called), pageWords(text, root, language, end === '.html'))
        }
    }
}
