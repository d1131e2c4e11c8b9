/** The HTTP side of the server. Every refusal arrives as a `Refused` with the server's own problem document. */
import { connection } from './connection.svelte'
import { Refused, type Problem } from './refused'
import { settings } from './settings.svelte'
import type {
  ChangeSeat,
  GameInfo,
  HomeInfo,
  Join,
  Me,
  MeUpdate,
  MyPeople,
  NewTable,
  PrintedNumbers,
  TableInfo,
} from './wire'

/** The secrets with which tables were opened, by table: whatever is asked of one by a person who looks on is asked with it. */
const secrets: Record<string, string> = {}

export async function request(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  const secret = secrets[path.split('/')[3]!]
  const known = secret ? { 'X-Invite': secret, ...headers } : headers
  let response: Response
  try {
    response = await fetch(path, {
      method,
      credentials: 'same-origin',
      // In which language a person reads who is one from now on.
      headers:
        body === undefined
          ? known
          : { ...known, 'Content-Type': 'application/json', 'Accept-Language': settings.language },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
  } catch {
    throw new Refused({ title: 'offline', status: 0, detail: '', code: 'offline' })
  }
  if (response.ok) return response
  const problem = (await response.json().catch(() => null)) as Problem | null
  throw new Refused(
    problem ?? { title: response.statusText, status: response.status, detail: '', code: `http_${response.status}` },
  )
}

export const json = async <T>(response: Promise<Response>): Promise<T> => (await (await response).json()) as T
/** What a page reads before it can show anything: however long that takes. */
export const read = <T>(path: string, headers?: Record<string, string>): Promise<T> =>
  connection.sure(() => json<T>(request('GET', path, undefined, headers)))
const text = (path: string): Promise<string> => connection.sure(async () => (await request('GET', path)).text())
const table = (id: string): string => `/api/tables/${encodeURIComponent(id)}`

/** The time zone of the person: it says when their nights are. */
export const zone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** The table that was made or joined here last: a browser that is not known there afterwards keeps no cookies. */
let mine = ''
export const isMine = (id: string): boolean => id === mine
export async function sit(answer: Promise<Response>): Promise<TableInfo> {
  const table = await json<TableInfo>(answer)
  mine = table.id
  return table
}

/** How much of my own features add to what the first page is told. */
export const added = (info: HomeInfo): number =>
  Object.values<unknown>({ ...info, tables: 0, waits: 0 })
    .filter(Array.isArray)
    .flat().length

export const api = {
  games: () => read<GameInfo[]>('/api/games'),
  components: (game: string) => text(`/api/games/${game}/components`),
  printed: (game: string) => json<PrintedNumbers>(request('GET', `/api/games/${game}/printed`)),
  readPrinted: (game: string, components: string) =>
    json<PrintedNumbers>(request('POST', `/api/games/${game}/printed`, { components })),
  rules: (game: string, language: string) => text(`/api/games/${game}/rules/${language}`),
  me: () => json<Me>(request('GET', '/api/me')),
  saveMe: (me: MeUpdate) => json<Me>(request('PUT', '/api/me', me)),
  home: () => json<HomeInfo>(request('GET', '/api/home')),
  people: () => read<MyPeople>('/api/people'),
  create: (wish: NewTable) => sit(request('POST', '/api/tables', wish)),
  table: (id: string, invite?: string) => {
    if (invite) secrets[id] = invite
    return read<TableInfo>(table(id))
  },
  join: (id: string, invite: string, name: string) =>
    sit(request('POST', `${table(id)}/join`, { invite, name, zone: zone() } satisfies Join)),
  seat: (id: string, wish: ChangeSeat) => json<TableInfo>(request('POST', `${table(id)}/seats`, wish)),
  start: (id: string) => json<TableInfo>(request('POST', `${table(id)}/start`, {})),
  /** `bot`: one plays there until I am back. */
  leave: (id: string, bot = false) => request('POST', `${table(id)}/leave${bot ? '?bot=true' : ''}`, {}),
  accept: (id: string) => sit(request('POST', `${table(id)}/accept`, {})),
  /** `game`: another one, where nobody was faster. */
  rematch: (id: string, game = '') =>
    json<TableInfo>(request('POST', `${table(id)}/rematch${game && `?game=${game}`}`, {})),
}
