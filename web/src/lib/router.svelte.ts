/** The address is the fragment, so that the secret of an invitation never reaches a server's log. */

type Route =
  | { page: 'home' }
  | { page: 'new' | 'box'; game: string }
  | { page: 'learn'; game: string; lesson: string }
  | { page: 'rules'; game: string; rule: string }
  | { page: 'join' | 'take'; table: string; secret: string }
  | { page: 'day'; game: string; date: string }
  | { page: 'find'; game: string; puzzle: string }
  | { page: 'table'; table: string }
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
  if ((page === 'new' || page === 'box') && first) return { page, game: first }
  if ((page === 'join' || page === 'take') && first && second) return { page, table: first, secret: second }
  if (page === 'table' && first) return { page: 'table', table: first }
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
  invitation: (id: string, secret: string) => `${location.href.split('#')[0]}#/join/${id}/${secret}`,
}
