/** The HTTP side of the server. Every refusal arrives as a `Refused` with the server's own problem document. */
import type {
  ChangeSeat,
  GameInfo,
  History,
  Join,
  Judgement,
  Me,
  MeUpdate,
  NewTable,
  PrintedNumbers,
  ProblemDocument,
  TableInfo,
} from './wire'

/** What is known of a refusal; one that did not come from the server has less to tell. */
type Problem = Pick<ProblemDocument, 'title' | 'status' | 'detail'> & Partial<ProblemDocument>

export class Refused extends Error {
  constructor(readonly problem: Problem) {
    super(problem.detail || problem.title)
  }
}

export async function request(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  let response: Response
  try {
    response = await fetch(path, {
      method,
      credentials: 'same-origin',
      headers: body === undefined ? headers : { ...headers, 'Content-Type': 'application/json' },
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
const text = async (response: Promise<Response>): Promise<string> => (await response).text()
const table = (id: string): string => `/api/tables/${encodeURIComponent(id)}`

/** Where somebody is: it says when their nights are. */
export const zone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

export const api = {
  games: () => json<GameInfo[]>(request('GET', '/api/games')),
  components: (game: string) => text(request('GET', `/api/games/${game}/components`)),
  printed: (game: string) => json<PrintedNumbers>(request('GET', `/api/games/${game}/printed`)),
  readPrinted: (game: string, components: string) =>
    json<PrintedNumbers>(request('POST', `/api/games/${game}/printed`, { components })),
  rules: (game: string, language: string) => text(request('GET', `/api/games/${game}/rules/${language}`)),
  me: () => json<Me>(request('GET', '/api/me')),
  saveMe: (me: MeUpdate) => json<Me>(request('PUT', '/api/me', me)),
  tables: () => json<TableInfo[]>(request('GET', '/api/tables')),
  create: (wish: NewTable) => json<TableInfo>(request('POST', '/api/tables', wish)),
  table: (id: string, invite?: string) =>
    json<TableInfo>(request('GET', table(id), undefined, invite ? { 'X-Invite': invite } : {})),
  join: (id: string, invite: string, name: string) =>
    json<TableInfo>(request('POST', `${table(id)}/join`, { invite, name, zone: zone() } satisfies Join)),
  seat: (id: string, wish: ChangeSeat) => json<TableInfo>(request('POST', `${table(id)}/seats`, wish)),
  start: (id: string) => json<TableInfo>(request('POST', `${table(id)}/start`, {})),
  leave: (id: string) => request('POST', `${table(id)}/leave`, {}),
  rematch: (id: string) => json<TableInfo>(request('POST', `${table(id)}/rematch`, {})),
  history: (id: string) => json<History>(request('GET', `${table(id)}/history`)),
  review: (id: string, seq: number) => json<Judgement>(request('GET', `${table(id)}/review/${seq}`)),
  replayAddress: (id: string) => `${table(id)}/replay`,
}
