// What there is of each game, as the page knows it when it is built: found in the folders of the games, of which any may be
// in the making. Nothing has to be there but the folder; what has an `__init__.py` can be played.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Which feature shows a page of a game; the rules are no feature. */
const FEATURES = { learn: 'lessons', day: 'daily', box: 'box', find: 'puzzles' }

const namesIn = (folder) => (existsSync(folder) ? readdirSync(folder) : [])

/** How long a game takes, by how many play, and how hard it is: to be told to whoever does not know it. */
function figuresIn(file) {
    const { minutes, level } = JSON.parse(readFileSync(file, 'utf8'))
    const players = Object.keys(minutes).map(Number)
    return { fewest: Math.min(...players), most: Math.max(...players), minutes: Object.values(minutes), level }
}

/**
 * Of every folder in `rules` whose game can be played: which pages it has besides its table, and its figures.
 * `boards` holds what the page draws of games, `pages` their rules in words; `features` are the names of those that there are.
 * `files` are those that were read.
 */
export function gamesIn(rules, boards, pages, features) {
    const ways = {}
    const figures = {}
    const files = []
    for (const entry of readdirSync(rules, { withFileTypes: true })) {
        const game = entry.name
        if (!entry.isDirectory() || /^[_.]/.test(game)) continue
        const folder = join(rules, game)
        if (!existsSync(join(folder, '__init__.py'))) continue
        const numbers = join(folder, 'figures.json')
        files.push(numbers)
        if (existsSync(numbers)) figures[game] = figuresIn(numbers)
        const has = {
            learn: namesIn(join(folder, 'lessons')).some((name) => name.endsWith('.toml')),
            day: true,
            box: existsSync(join(boards, game, 'PadPicture.svelte')),
            find: existsSync(join(folder, 'puzzles.xz')),
            rules: namesIn(join(pages, game)).some((name) => /^rules\.[a-z]+\.md$/.test(name)),
        }
        ways[game] = Object.keys(has).filter((way) => has[way] && (way === 'rules' || features.includes(FEATURES[way])))
    }
    // Vite reads what it is to watch.
    return { ways, figures, files: files.filter((file) => existsSync(file)) }
}
