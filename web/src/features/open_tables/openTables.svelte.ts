/** The open tables, live; and what is asked about them. A page that nobody sees costs nothing: it listens no more. */
import { json, request, sit, zone } from '../../lib/api'
import { texts } from '../../lib/i18n.svelte'
import type { Find, Join, NearTable, NewWish, OpenNews, OpenTable, TableInfo, Wishes } from '../../lib/wire'

const PATIENCE = [500, 1500, 4000, 10_000]

/** An id nobody else makes. */
export const makeId = (): string => Array.from(crypto.getRandomValues(new Uint32Array(4)), String).join('-')

export const openTables = {
  /** Sits down where anybody may. */
  join: (id: string, name: string): Promise<TableInfo> =>
    sit(
      request('POST', `/api/tables/${encodeURIComponent(id)}/join`, {
        invite: '',
        name,
        zone: zone(),
      } satisfies Join),
    ),
  find: (wish: Omit<Find, 'zone' | 'language'>): Promise<TableInfo> =>
    sit(request('POST', '/api/open-tables/find', { ...wish, zone: zone(), language: texts.language } satisfies Find)),
  /** What waits that is not quite that. */
  near: (wish: Omit<Find, 'id'>): Promise<NearTable[]> =>
    json<NearTable[]>(request('POST', '/api/open-tables/near', { id: 'near', ...wish } satisfies Find)),
  wishes: (): Promise<Wishes> => json<Wishes>(request('GET', '/api/me/wishes')),
  wish: (wishes: NewWish[]): Promise<Wishes> => json<Wishes>(request('PUT', '/api/me/wishes', { wishes })),
}

/** Changes a list by what is told of it; the newest tables first. */
export function told(known: OpenTable[], news: OpenNews): OpenTable[] {
  const { tables } = news
  if (news.type === 'open') return tables
  const gone = new Set([...news.gone, ...tables.map(({ id }) => id)])
  return [...tables, ...known.filter(({ id }) => !gone.has(id))].sort((one, other) => other.created - one.created)
}

export class OpenList {
  /** Null until the server has answered. */
  tables = $state.raw<OpenTable[] | null>(null)
  /** Whether what is shown may be old. */
  lost = $state(false)

  #socket: WebSocket | null = null
  #failures = 0
  #retry: ReturnType<typeof setTimeout> | undefined

  constructor() {
    document.addEventListener('visibilitychange', this.#look)
    addEventListener('online', this.#look)
    this.#look()
  }

  close(): void {
    document.removeEventListener('visibilitychange', this.#look)
    removeEventListener('online', this.#look)
    this.#end()
  }

  /** Listens while the page is seen. */
  #look = (): void => {
    clearTimeout(this.#retry)
    if (document.hidden) this.#end()
    else if (!this.#socket) this.#listen()
  }

  #end(): void {
    clearTimeout(this.#retry)
    const socket = this.#socket
    this.#socket = null
    // To close one that is still on its way is an error to the browser.
    if (socket?.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close()
    else socket?.close()
  }

  #listen(): void {
    const address = new URL('/api/open-tables/live', location.href)
    address.protocol = address.protocol.replace('http', 'ws')
    const socket = (this.#socket = new WebSocket(address))
    socket.onmessage = ({ data }) => {
      const news = JSON.parse(String(data)) as OpenNews
      if (socket !== this.#socket || !news.type.startsWith('open')) return
      this.#failures = 0
      this.lost = false
      this.tables = told(this.tables ?? [], news)
    }
    socket.onclose = () => {
      if (socket !== this.#socket) return
      this.#socket = null
      const pause = PATIENCE[Math.min(this.#failures++, PATIENCE.length - 1)]!
      this.lost = this.#failures > 1
      // Not all at the same moment, when a server comes back.
      this.#retry = setTimeout(this.#look, pause * (0.5 + Math.random()))
    }
  }
}
