/**
 * What a feature tells the page of itself. Each folder of `features/` has a `feature.ts` with `feature: PageFeature`. Nobody
 * imports a feature, so that who takes a folder away has a page without it (`scripts/without.py`). All declarations are one
 * part that comes when something of a feature is first asked for (`features.ts`); what they show comes later still.
 */
import type { Component } from 'svelte'
import type { Agreement } from './terms'
import type { TableSession } from './tableSession.svelte'
import type { Evening, HomeInfo, MyPeople, OpenTerms, TableInfo, TimeControl } from '../lib/wire'
import type { PageDeclaration } from '../lib/router.svelte'

export type Load<Props extends object> = () => Promise<{ default: Component<Props> }>

/** The places in which features show something, and what is known there. */
export interface Places {
  /** Over every page of a visitor who stays. */
  strip: object
  /** On the first page, among one's own tables: what features add to its answer (`api.home`). */
  own: { info: HomeInfo; onnews: () => Promise<void> }
  /** On the first page below the games, when it rests; `mine`: those at which I sit. */
  home: { mine: TableInfo[] | null }
  /** On the page of the people one knows, below them: what features add to its answer. */
  people: { mine: MyPeople }
  /** Parts of one's own page: of everybody's, and of theirs whom the server knows; `kept`: whether they can come back. */
  me: object
  member: { kept: boolean }
  /** Among the settings; `table`: at which they were opened. */
  settings: { table: TableInfo | null }
  /** Setting up a table: who may join. */
  terms: { game: string; time: TimeControl | null; bots: string[]; onchange: (terms: OpenTerms | null) => void }
  /** Setting up a table: what else is agreed, changed in place. */
  policy: { policy: Agreement; hints: boolean; onhints: (allowed: boolean) => void }
  /** In the list of open tables, at each; `names`: by seat. */
  listed: { table: string; names: string[] }
  /** In a waiting room: below who sits there; of a table that anyone may join; for whom it was made. */
  seats: { table: TableInfo }
  open: { table: TableInfo }
  circle: { id: string }
  /** In the bar of one's own table while one plays by days. */
  ahead: { session: TableSession }
  /** On the page of a group; `evenings`: when it meets. */
  group: { id: string; evenings: Evening[] }
  /** In the place of the bar, while a finished game is stepped through; `note`: what is different from playing. */
  replay: { session: TableSession; note?: string }
  /** At a table whose game has begun, whatever is open there; and at the head of its log. */
  during: { session: TableSession }
  log: { session: TableSession }
  /** At a table whose game is over, whatever is open there. */
  after: { session: TableSession }
  /** In the panel of a game's end: buttons, and what stands below them. */
  ways: { session: TableSession; onclose: () => void }
  end: { session: TableSession }
  /** The file of a finished game; `name`: what it is saved as. */
  file: { table: string; name: string; label: string }
}

export type PlaceName = keyof Places

/** What the people at a table say to each other, and where it is shown. */
export interface TableTalk {
  readonly wanted: boolean
  /** Whether it stands beside the table, or in a drawer. */
  open: boolean
  readonly Button: Component<{ session: TableSession }>
  readonly Aside: Component<{ session: TableSession }>
  readonly Place: Component<{ session: TableSession }>
  readonly Panel: Component<{ session: TableSession; title?: boolean; onclose?: () => void }>
}

/** Behind a button of a table's settings. */
export interface HostSettings {
  words: string
  load: Load<{ table: string }>
}

export interface PageFeature {
  /** Its pages, by the first word of their addresses. */
  pages?: Record<string, PageDeclaration>
  /** What it shows there, with what is known or whatever that is. */
  places?: { [Name in PlaceName]?: Load<Places[Name]> | Load<Record<string, never>> }
  /** Ways to its pages from the foot of the first page: address and words. */
  doors?: Record<string, string>
  /** What the host of a table sets there. */
  hosts?: HostSettings
  /** The page behind its links in messages, which lead to one's own page (`#/me/…`) and begin in a way of their own. */
  link?: { begins: string; load: Load<{ secret: string }> }
  /** The panel beside the table that it guides (`guided.ts`). */
  guide?: Load<{ session: TableSession }>
  /** Begins to talk at a table. */
  talk?: (session: TableSession) => Promise<TableTalk>
  /** A person has moved and waits for others. */
  waits?: () => Promise<void>
  /** Whether a person is told elsewhere what happens at their tables. */
  reaches?: () => Promise<boolean>
  /** Whether a finished game cannot be looked through yet. */
  seals?: (table: TableInfo) => Promise<boolean>
  /** Does what has to be done around a sign-in. */
  signIn?: <T>(signIn: () => Promise<T>) => Promise<T>
}
