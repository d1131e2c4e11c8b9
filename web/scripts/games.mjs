// What there is of each game, as the page knows it when it is built: found in the folders of the games, of which any may be
// in the making. Nothing has to be there but the folder; what has an `__init__.py` can be played.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Which feature shows a page of a game; the rules are no feature. */
const FEATURES = { learn: 'lessons', day: 'daily', box: 'box', find: 'puzzles' }

const LANGUAGES = ['en', 'hu']

const namesIn = (folder) => (existsSync(folder) ? readdirSync(folder) : [])

/** What many pages say of games of which they have nothing else: four catalogues would be a lot for four names. */
function wordsIn(file) {
    const { name, tagline } = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
    return { title: name ? { name } : {}, tagline }
}

/** How long a game takes, by how many play, and how hard it is: to be told to whoever does not know it. */
function figuresIn(file) {
    const { minutes, level } = JSON.parse(readFileSync(file, 'utf8'))
    const players = Object.keys(minutes).map(Number)
    return { fewest: Math.min(...players), most: Math.max(...players), minutes: Object.values(minutes), level }
}

/** What a game is called that has no words yet: by its folder, `tic_tac_toe`. */
const nameOf = (game) => game.replace(/(^|_)(.)/g, (_, gap, letter) => (gap && ' ') + letter.toUpperCase())

/**
 * Of every folder in `rules`: what the game is called, by language, and if it can be played which pages it has besides its
 * table, its figures, and what it is like in a sentence.
 * `boards` holds what the page draws of games, `pages` their rules in words; `features` are the names of those that there are.
 * `files` are those that were read.
 */
export function gamesIn(rules, boards, pages, features) {
    const titles = {}
    const ways = {}
    const figures = {}
    const taglines = {}
    const files = []
    for (const entry of readdirSync(rules, { withFileTypes: true })) {
        const game = entry.name
        if (!entry.isDirectory() || /^[_.]/.test(game)) continue
        const folder = join(rules, game)
        const canBePlayed = existsSync(join(folder, '__init__.py'))
        titles[game] = {}
        for (const language of LANGUAGES) {
            const file = join(folder, 'text', `${language}.json`)
            files.push(file)
            const { title, tagline } = wordsIn(file)
            titles[game][language] = { ...(canBePlayed ? { name: nameOf(game) } : {}), ...title }
            if (tagline) (taglines[game] ??= {})[language] = tagline
        }
        if (!canBePlayed) continue
        const numbers = join(folder, 'figures.json')
        files.push(numbers)
        if (existsSync(numbers)) figures[game] = figuresIn(numbers)
        const has = {
            learn: namesIn(join(folder, 'lessons')).some((name) => name.endsWith('.toml')),
            day: true,
            box: existsSync(join(boards, game, 'PadPicture.svelte')),
            find: existsSync(join(folder, 'puzzles.xz')),
            rules: LANGUAGES.some((language) => existsSync(join(pages, game, `rules.${language}.md`))),
        }
        ways[game] = Object.keys(has).filter((way) => has[way] && (way === 'rules' || features.includes(FEATURES[way])))
    }
    // Vite reads what it is to watch.
    return { titles, ways, figures, taglines, files: files.filter((file) => existsSync(file)) }
}
