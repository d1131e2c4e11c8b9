/** The address is the fragment, so that the secret of an invitation never reaches a server's log. */

type Route =
  | { page: 'home' }
  | { page: 'box'; game: string }
  | { page: 'new'; game: string; whom: string }
  | { page: 'people' }
  | { page: 'host'; token: string }
  | { page: 'group'; group: string; secret: string }
  | { page: 'learn'; game: string; lesson: string }
  | { page: 'rules'; game: string; rule: string }
  | { page: 'join' | 'take'; table: string; secret: string }
  | { page: 'day'; game: string; date: string }
  | { page: 'find'; game: string; puzzle: string }
  | { page: 'table' | 'screen'; table: string; secret: string }
  | { page: 'game'; secret: string }
  | { page: 'replay' }
  | { page: 'me'; secret: string; refused: string }
  | { page: 'lost' }

/** A link may have lost its end; the page that it leads to checks what it still says. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

export function parse(hash: string): Route {
  const [page = '', first = '', second = ''] = hash
    .replace(/^#?\/?/, '')
    .split('/')
    .map(decode)
  if (page === '') return { page: 'home' }
  if (page === 'rules' && first) return { page, game: first, rule: second }
  if (page === 'learn' && first) return { page, game: first, lesson: second }
  if (page === 'box' && first) return { page, game: first }
  if (page === 'new' && first) return { page, game: first, whom: second }
  if (page === 'people') return { page }
  if (page === 'host') return { page, token: first }
  if (page === 'group' && first) return { page, group: first, secret: second }
  if ((page === 'join' || page === 'take') && first && second) return { page, table: first, secret: second }
  if ((page === 'table' || page === 'screen') && first) return { page, table: first, secret: second }
  if (page === 'game' && first) return { page, secret: first }
  if (page === 'replay') return { page }
  if (page === 'day' && first) return { page, game: first, date: second }
  if (page === 'find' && first) return { page, game: first, puzzle: second }
  if (page === 'me') return { page, secret: first, refused: second }
  return { page: 'lost' }
}

class Router {
  route = $state.raw<Route>(parse(location.hash))

  constructor() {
    addEventListener('hashchange', () => {
      this.route = parse(location.hash)
      scrollTo(0, 0)
    })
  }

  go(path: string, replace = false): void {
    if (replace) location.replace(`#${path}`)
    else location.hash = path
  }
}

export const router = new Router()

export const links = {
  home: '#/',
  setUp: (game: string) => `#/new/${game}`,
  day: (game: string, date = '') => `#/day/${game}${date && `/${date}`}`,
  table: (id: string) => `#/table/${id}`,
  replay: '#/replay',
  game: (secret: string) => `${location.href.split('#')[0]}#/game/${secret}`,
  invitation: (id: string, secret: string) => `${location.href.split('#')[0]}#/join/${id}/${secret}`,
  /** Where those look on who have the secret of an invitation. */
  onlookers: (id: string, secret: string) => `#/table/${id}${secret && `/${secret}`}`,
  screen: (id: string, secret: string) => `#/screen/${id}/${secret}`,
}
