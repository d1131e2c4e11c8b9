/** Seasons of groups: what the server is asked, and what follows for the page. */
import { json, read, request } from '../../lib/api'
import { words as later } from '../../lib/catalogue'
import { t, texts } from '../../lib/i18n.svelte'
import { need } from '../../lib/parts'
import { explain } from '../../lib/problems'
import { Refused } from '../../lib/refused'
import type {
  GameInfo,
  NewSeason,
  RoundPresence,
  RoundWish,
  SeasonId,
  SeasonInfo,
  SeasonList,
  SeasonRoundInfo,
  SeasonTableInfo,
} from '../../lib/wire'

const at = (...parts: string[]): string => `/api/seasons${parts.map((part) => `/${encodeURIComponent(part)}`).join('')}`

export const seasons = {
  of: (group: string) => read<SeasonList>(`${at()}?group=${encodeURIComponent(group)}`),
  get: (id: string) => read<SeasonInfo>(at(id)),
  make: (wish: NewSeason) => json<SeasonId>(request('POST', at(), wish)),
  enter: (id: string) => json<SeasonInfo>(request('POST', at(id, 'enter'), { part: randomPart() })),
  leave: (id: string) => json<SeasonInfo>(request('POST', at(id, 'leave'), {})),
  wish: (id: string, what: RoundWish) => json<SeasonInfo>(request('PUT', at(id, 'round'), what)),
  here: (id: string, what: RoundPresence) => json<SeasonInfo>(request('POST', at(id, 'here'), what)),
  file: (id: string) => at(id, 'file'),
  csv: (id: string) => at(id, 'table.csv'),
}

export const words = async (): Promise<void> => void (await Promise.all([need('season'), later()]))

export function refusal(error: unknown): string {
  const problem = error instanceof Refused ? error.problem : null
  const key = `season.error.${problem?.code ?? ''}`
  const its = problem?.code === 'season' ? `season.error.season.${String(problem.args?.why)}` : ''
  const known = [its, key].find((one) => texts.has(one))
  return problem && known ? t(known, problem.args) : explain(error)
}

/** My part of the beacon: drawn here, so that nobody else has chosen it. */
export function randomPart(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Points of the service (120 a table) as people read them: of ten. */
export const shown = (points: number): string =>
  (points / 12).toLocaleString(texts.locale, { maximumFractionDigits: 1 })

/** A moment with its day of the week, by the clocks of this browser. */
export const moment = (seconds: number): string =>
  new Date(seconds * 1000).toLocaleString(texts.locale, {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  })

export const day = (seconds: number): string =>
  new Date(seconds * 1000).toLocaleDateString(texts.locale, { month: 'short', day: 'numeric' })

/** What people are called; who was forgotten is called by their number. */
export const names = (season: SeasonInfo): Map<number, string> =>
  new Map(season.people.map(({ who, name }) => [who, name ?? t('season.forgotten', { n: who })]))

export const roundNow = (season: SeasonInfo): SeasonRoundInfo | null => season.rounds.at(-1) ?? null

/** My table in the round that was drawn last. */
export const myTable = (season: SeasonInfo): SeasonTableInfo | null =>
  roundNow(season)?.tables.find(({ people }) => season.you !== null && people.includes(season.you)) ?? null

/** Points after each round that counts, of everybody who has a line; rounds without a table that cost nothing count as the
 * average, so that each line ends at a person's points. */
export function lines({ standings }: Pick<SeasonInfo, 'standings'>): Map<number, number[]> {
  return new Map(
    standings.map(({ who, line, tables, free }) => {
      const played = line.reduce<number>((all, points) => all + (points ?? 0), 0)
      const average = tables ? Math.floor(played / tables) : 0
      let [sum, left] = [0, free]
      return [who, line.map((points) => (sum += points ?? (left-- > 0 ? average : 0)))]
    }),
  )
}

/** A name with so much room, in letters. */
export const short = (name: string, letters: number): string =>
  name.length <= letters ? name : `${name.slice(0, Math.max(1, letters - 1)).trimEnd()}…`

/** The numbers of seats that suit a game, the one that is liked best first. */
export const sizesOf = ({ min_players, max_players }: GameInfo, liked: number): number[] =>
  [liked, liked - 1, liked + 1].filter((size) => size >= Math.max(2, min_players) && size <= Math.min(7, max_players))

/** When the rounds begin: so many days apart, at the same time by the clocks of this browser. */
export function starts(first: Date, rounds: number, days: number): number[] {
  return Array.from({ length: rounds }, (_, at) => {
    const day = new Date(first)
    day.setDate(day.getDate() + at * days)
    return Math.floor(day.getTime() / 1000)
  })
}

/** A list in parts of so many. */
export const chunks = <T>(list: T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, at) => list.slice(at * size, (at + 1) * size))
