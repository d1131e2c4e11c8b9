/** The address is the fragment, so that the secret of an invitation never reaches a server's log. */
import type { Component } from 'svelte'

/** What an address says: which page, and what of it. */
export interface Route {
  page: string
  parts: string[]
}

/** A page, and what it takes from its address. */
export interface PageDeclaration {
  // oxlint-disable-next-line typescript/no-explicit-any -- each takes what its address says
  load: () => Promise<{ default: Component<any> }>
  /** What the parts of its address are, in their order; those with a `?` may be left out. */
  takes?: string[]
  /** Of how many parts another value makes another page; 0: it goes on and follows its address. Left out: of all. */
  anew?: number
}

/** A link may have lost its end; the page that it leads to checks what it still says. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

export function parse(hash: string): Route {
  const [page = '', ...parts] = hash
    .replace(/^#?\/?/, '')
    .split('/')
    .map(decode)
  return { page: page || 'home', parts }
}

/** What a page takes from its address, or null where that does not say enough. */
export function taken({ takes = [] }: PageDeclaration, { parts }: Route): Record<string, string> | null {
  if (takes.some((name, at) => !name.endsWith('?') && !parts[at])) return null
  return Object.fromEntries(takes.map((name, at) => [name.replace('?', ''), parts[at] ?? '']))
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
  /** `whom`: for these people, or for a group. */
  setUp: (game: string, whom = '') => `#/new/${game}${whom && `/${encodeURIComponent(whom)}`}`,
  table: (id: string) => `#/table/${id}`,
  invitation: (id: string, secret: string) => `${location.href.split('#')[0]}#/join/${id}/${secret}`,
  /** Where those look on who have the secret of an invitation. */
  onlookers: (id: string, secret: string) => `#/table/${id}${secret && `/${secret}`}`,
  screen: (id: string, secret: string) => `#/screen/${id}/${secret}`,
}
