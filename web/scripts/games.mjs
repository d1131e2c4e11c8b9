// What there is of each game, as the page knows it when it is built: found in the folders of the games, of which any may be
// in the making. Nothing has to be there but the folder.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const LANGUAGES = ['en', 'hu']
// What many pages say of games of which they have nothing else: four catalogues would be a lot for four names.
const TITLES = ['name', 'tagline']

const namesIn = (folder) => (existsSync(folder) ? readdirSync(folder) : [])

function titlesIn(file) {
    if (!existsSync(file)) return {}
    const words = JSON.parse(readFileSync(file, 'utf8'))
    return Object.fromEntries(TITLES.filter((key) => key in words).map((key) => [key, words[key]]))
}

/**
 * Of every folder in `rules`: what the game is called, by language, and which pages it has besides its table. `boards` holds
 * what the page draws of games. `files` are those that were read.
 */
export function gamesIn(rules, boards) {
    const titles = {}
    const ways = {}
    const files = []
    for (const entry of readdirSync(rules, { withFileTypes: true })) {
        const game = entry.name
        if (!entry.isDirectory() || /^[_.]/.test(game)) continue
        const folder = join(rules, game)
        titles[game] = {}
        for (const language of LANGUAGES) {
            const file = join(folder, 'text', `${language}.json`)
            files.push(file)
            titles[game][language] = titlesIn(file)
        }
        ways[game] = [
            ...(namesIn(join(folder, 'lessons')).some((name) => name.endsWith('.toml')) ? ['learn'] : []),
            'day',
            ...(existsSync(join(boards, game, 'PadPicture.svelte')) ? ['box'] : []),
            ...(existsSync(join(folder, 'puzzles.xz')) ? ['find'] : []),
            'rules',
        ]
    }
    return { titles, ways, files }
}
