// Written by `python scripts/web.py types` from the structs of src/ziggurat/core and src/ziggurat/server. Change those, not this.

/** The values of a sentence's placeholders: numbers, tokens such as "blue 5", other phrases, lists of them. */
export type Arg = number | string | string[] | number[] | boolean | null | Phrase | Phrase[]
export type Args = Record<string, Arg>

export type Picture =
  | 'bee'
  | 'bell'
  | 'boat'
  | 'cat'
  | 'fish'
  | 'key'
  | 'kite'
  | 'lantern'
  | 'leaf'
  | 'moon'
  | 'mushroom'
  | 'owl'
  | 'snail'
  | 'sun'
export type Colour = 'brick' | 'indigo' | 'moss' | 'plum' | 'teal' | 'umber'
export type TableWish = 'turn' | 'answer' | 'seat'
export type SeatKind = 'human' | 'bot' | 'open'
export type Strength = 'anyone' | 'beginners' | 'experienced'
export type Joining = 'invited' | 'anyone'
export type Watching = 'link' | 'anyone' | 'nobody'
export type Talking = 'free' | 'phrases' | 'off'
export type Status = 'waiting' | 'playing' | 'finished' | 'ended' | 'expired'
export type Pace = 'instant' | 'calm'
export type Role = 'founder' | 'keeper' | 'member'
export type TryStatus = 'new' | 'begun' | 'done' | 'late' | 'given_up'
export type Shows = 'me' | 'known' | 'anyone'
export type WhyNot =
  | 'off'
  | 'alone'
  | 'metre'
  | 'copy'
  | 'laid'
  | 'deal'
  | 'hints'
  | 'numbers'
  | 'device'
  | 'taken_back'
  | 'agreed'
  | 'open'
  | 'nobody'
export type NoteReaders = 'nobody' | 'players' | 'watchers'
export type ChannelKind = 'push' | 'mail' | 'hook'
export type Topic = 'turn' | 'over' | 'invited' | 'table'
export type Tempo = 'live' | 'evening' | 'days'
export type Miss = 'game' | 'tempo' | 'company' | 'strength' | 'own'
export type Scope = 'read' | 'play' | 'bot'
export type Play = 'evenings' | 'days' | 'mixed'
export type Pairing = 'all' | 'swiss' | 'divisions'
export type Tie = 'wins' | 'mutual' | 'opponents' | 'share'
export type Ready = 'thanks' | 'looked' | 'warned' | 'renamed' | 'hidden'
export type Do = 'lock' | 'unlock' | 'end' | 'delete' | 'give' | 'annul'
export type Concern = 'insult' | 'flood' | 'cheating' | 'other'
export type Saying =
  | 'hello'
  | 'welcome'
  | 'good_luck'
  | 'ready'
  | 'one_moment'
  | 'back'
  | 'take_your_time'
  | 'your_turn'
  | 'still_there'
  | 'nice_move'
  | 'lucky'
  | 'ouch'
  | 'wow'
  | 'oops'
  | 'sorry'
  | 'no_problem'
  | 'thanks'
  | 'yes'
  | 'no'
  | 'close'
  | 'well_played'
  | 'good_game'
  | 'again'
  | 'must_go'
  | 'bye'

/**
 * An action that is legal, or that somebody may try, as a board, a terminal or a bot needs it. In words it is the text
 * `move.<type>` of the game's catalogue, with its fields for the placeholders.
 */
export type Choice = { action: number; type: string; notation: string }

/** The body of every HTTP error. */
export type ProblemDocument = { type: string; title: string; status: number; detail: string; code: string; args: Args }

/** An avatar as a person chooses it: a picture of ours, and the colour behind it. */
export type AvatarChoice = { picture: Picture; colour: Colour }

/** A person's profile. A newcomer has no id yet and an empty name. */
export interface Me {
  /** null for a browser that the server does not know yet. */
  id: string | null
  name: string
  language: string
  /** Whether I answer myself where the rules leave no choice; otherwise it is done for me. */
  by_hand?: boolean
  mark?: AvatarChoice | null
}

/**
 * What a table waits for from me: my turn, my answer to what others ask, whether I take the seat that is kept for me;
 * and by days until when. By days alone: a clock of minutes is watched where it runs.
 */
export type AwaitedInfo = { wishes: TableWish[]; until: string | null }

/** A table that waits for me: since when and for what, and the names of the other people there. */
export type WaitingTable = { id: string; game: string; since: string; people: string[]; awaited: AwaitedInfo }

/**
 * The tables that wait for me, the one that has waited longest first; `going`: all unfinished tables where I sit, or am
 * invited.
 */
export type MyTurns = { tables: WaitingTable[]; going: string[] }

/** A rule that the people at a table choose. No choices: free text. */
export type OptionInfo = { name: string; choices: string[]; default: string; players: [number, number] | null }

/** A game that can be played. */
export interface GameInfo {
  id: string
  min_players: number
  max_players: number
  options: OptionInfo[]
  bots: string[]
  /** Bots that the host has added, by their names; a seat calls them `host:NAME`. */
  host_bots: string[]
  version: string
  /** Whether it has printed numbers that people may change. */
  components: boolean
}

/** A passkey of mine. */
export type PasskeyInfo = { id: string; name: string; created: string; used: string }

/** A person's identity at the operator's provider. */
export type LinkedIdentity = { id: string; created: string; used: string }

/** A browser in which I am signed in. */
export type DeviceInfo = { id: string; name: string; created: string; seen: string; here: boolean }

/** The ways in which I can sign in: recovery codes, passkeys, identities, devices. */
export interface Account {
  /** Recovery codes that were not used. */
  codes: number
  passkeys: PasskeyInfo[]
  identities: LinkedIdentity[]
  devices: DeviceInfo[]
}

/** New recovery codes, which are shown once. */
export type RecoveryCodes = { codes: string[] }

/**
 * A single-use link: it signs in another device of mine, or gives my seat to a friend. `qr` are the rows of its QR
 * code, of 0 and 1.
 */
export type Link = { secret: string; url: string; seconds: number; qr: string[] }

/** A seat and its occupant. */
export interface SeatInfo {
  seat: number
  kind: SeatKind
  name: string
  /** Which program sits here, or plays for a person until they come back. */
  bot: string | null
  you: boolean
  online: boolean
  /** Left a running game; coming back is opening the table again. */
  away: boolean
  /** For how many seconds a person has been gone from a running game. */
  gone?: number
  /** The seats that want a bot to play for this person, as long as not everybody does. */
  agreed?: number[]
  /** The person's, where they have one. */
  mark?: AvatarChoice
  /** When the game is over: how many moves were made on a person's seat. */
  moves?: number
  /** How many of these a bot has made for them. */
  by_bot?: number
  /**
   * For whom an open seat is kept: you, or another person of this name, who have not answered yet. Who does not belong
   * to the table learns no name: for them the seat is taken.
   */
  kept?: 'you' | 'other'
  /** Whether the person has given up the game. */
  resigned?: boolean
  /**
   * Another person sits here who plays on your device; and whether a seat on it sees now what the others on it must not
   * see.
   */
  near?: 'open' | 'secret'
  /** How many earlier games of the same series were won here, and how many there were. */
  series?: [number, number]
  /** True where a bot sits that gives its seat to a person who comes. */
  yields?: boolean
  /** Of a person whose moves a program sends, or chooses too. */
  program?: 'play' | 'bot'
}

/**
 * The terms of an open table for strangers: for whom it is, and what happens when nobody comes. `wait`: seconds from
 * its making after which it waits no longer. Then the `bot` takes the free seats, and gives each of them to a person
 * who comes later; without one the table is no longer open.
 */
export interface OpenTerms {
  wait?: number
  bot?: string | null
  /** Whom its maker hopes for. */
  strength?: Strength
  /** The maker's; empty: they do not say. */
  language?: string
}

/**
 * The policy of a table about people. The usual: people come by invitation, they may say what they like, and everybody
 * with the link may watch.
 */
export interface TablePolicy {
  /** Who may take a free seat: people with the link, or anybody. A table that anybody may join is listed. */
  join?: Joining
  /** Who may look on: people with the link, anybody who knows the table's address, or nobody. */
  watch?: Watching
  /** What can be said at the table: anything, ready phrases only, or nothing. */
  talk?: Talking
  /** Of a table that anybody may join. */
  terms?: OpenTerms | null
  /** Whether people's own programs may sit down and play; everybody sees which seats these are. */
  programs?: boolean
  /** Whether the game may say something about how good its people are, where a feature counts games. */
  counted?: boolean
  /** Who was put out, by marks that say nothing elsewhere (`Table.mark_of`): the table's own, and sent to nobody. */
  out?: string[]
}

/**
 * The time control that a table chose: the reserve, the time of each decision, nights and holidays. `reserve`: seconds
 * for the whole game; `step`: seconds of each decision before the reserve is drawn on; `then`: what happens to a seat
 * whose time runs out: a `bot` plays until the person is back, the others are asked whether they wait longer, or
 * nothing. For games of days, `nights`: between 22 and 8 o'clock no clock runs, in each one's time zone; `vacation`:
 * days that each may take off.
 */
export interface TimeControl {
  kind: 'live' | 'days'
  reserve: number
  step: number
  then?: 'bot' | 'ask' | 'nothing'
  bot?: string
  nights?: boolean
  vacation?: number
}

/**
 * The clock of a seat: what was left of its reserve and of the decision's own time at `since`, in seconds. It runs from
 * then on, and will have run out at `until` (seconds since 1970, by the server's clock); without `since` it stands.
 * `vacation`: days that are left; `off`: until when it is on vacation. `out`: its time ran out.
 */
export interface SeatTime {
  reserve: number
  free: number
  since: number | null
  until: number | null
  vacation: number
  off: number | null
  out: boolean
}

/** The clock of a table; `paused`: until when it stands, in seconds since 1970. */
export type TimeInfo = { control: TimeControl; seats: SeatTime[]; paused: number | null }

/**
 * A vote of the people at a table: to `pause` for so many `seconds`, to `end` the game as it is, to let more people
 * `watch` (the number `seconds` of those that may), or whether they wait longer for the seat `by`, whose `time` ran
 * out. `asked`: the seats that have yet to answer; `until`: the deadline.
 */
export interface VoteInfo {
  kind: 'pause' | 'end' | 'watch' | 'time'
  by: number
  seconds: number
  asked: number[]
  until: number
}

/**
 * The moment of a finished game from which a table goes on: after so many of its `moves`, and `tried` more since. That
 * game was made at `made`. `again`: hidden cards were dealt again; else they are as they were.
 */
export type PlayedFromInfo = { made: string; moves: number; tried: number; again: boolean }

/**
 * A table as one person may see it. `seed_hash` is the SHA-256 of `salt` followed by `seed`; both are shown when the
 * game is over. A table that was `laid` out from a scenario has none of them: nobody shuffled.
 */
export interface TableInfo {
  id: string
  game: string
  status: Status
  seats: SeatInfo[]
  you: number | null
  host: boolean
  /** The seat of the person who starts the game, while the table waits for people; null: they sit on none. */
  starter: number | null
  options: Record<string, string>
  pace: Pace
  /** Whether people may ask what a Master would do. */
  hints: boolean
  /** Seconds of absence before a bot may play for a person; by days, before others may host a table that waits. */
  patience: number
  /** Who may join, watch and talk. */
  policy: TablePolicy
  /** The digest of the printed numbers that the host brought; null: the game's own. */
  components: string | null
  laid: boolean
  seq: number
  seed_hash: string | null
  seed: string | null
  salt: string | null
  rematch: string | null
  actors: number[]
  scores: number[] | null
  winners: number[] | null
  created: string
  updated: string
  invite: string | null
  /** Why a running game cannot go on, if it cannot. */
  trouble: string | null
  time: TimeInfo | null
  vote: VoteInfo | null
  /** Whether bots sit on the seats of all people: the game waits until one of them comes back. */
  waits: boolean
  /**
   * Of the day's deal: of which day. Seed and salt of such a table are told by `/api/day`, when no try of it counts any
   * more.
   */
  deal: string | null
  /** How many look on: connections of those who do not sit there, each person once. */
  onlookers: number
  /** Whether the host is here who sits on no seat. */
  host_here: boolean
  /** While the table waits for people: for how many seconds its host has been gone; null: they are here. */
  host_gone: number | null
  /** How many people were put out of it, to those who belong to it. */
  out: number
  /** Of a table that goes on from a moment of a finished game: it is never rated or counted. */
  played_from: PlayedFromInfo | null
  /**
   * The group for which the table was made, to those who belong to the table. It opens nothing: only its own people are
   * told anything of a group, its name too.
   */
  group: string | null
}

/**
 * The invitation link of a table: to play while it waits for people, and to look on. `qr` are the rows of its QR code,
 * of 0 and 1.
 */
export type Invitation = { url: string; qr: string[] }

/**
 * A person with whom I have played: `id` is my handle for them, which nobody else can use. `name`, `mark`, `game`,
 * `when`: at the last table. `mine`, `theirs`: the points there, null while it goes on, or where it was not played to
 * the end; `won`, `resigned`: whether I and they won it, and gave it up. `times`: at how many tables.
 */
export interface KnownPerson {
  id: string
  name: string
  mark: AvatarChoice | null
  game: string
  table: string
  when: string
  running: boolean
  times: number
  mine: number | null
  theirs: number | null
  won: [boolean, boolean]
  resigned: [boolean, boolean]
}

/** A person whom I have blocked. */
export type BlockedPerson = { id: string; name: string; when: string }

/** A waiting table to which I can invite: `free` seats are nobody's. */
export type MyWaitingTable = { id: string; game: string; created: string; free: number }

/** A group of mine, and my role there. */
export type MyGroup = { id: string; name: string; role: Role }

/** The people I know. */
export type MyPeople = { played: KnownPerson[]; blocked: BlockedPerson[]; tables: MyWaitingTable[]; groups: MyGroup[] }

/** What a table waits for; `seats`: of whom, me or others. */
export interface WaitsInfo extends AwaitedInfo {
  seats: number[]
}

/**
 * The date of a group's meetings: `time` such as 19:30 by the clocks of `zone`, every week on `weekday` (0 is Monday),
 * or once, `on` a day such as 2026-12-24.
 */
export interface Evening {
  weekday: number | null
  time: string
  zone: string
  minutes?: number
  games?: string[]
  on?: string | null
}

/** The next evening of a group of mine: who comes, and whether I do; null: I have not said. */
export type MyNextEvening = { evening: Evening; next: string; coming: string[]; comes: boolean | null }

/**
 * A group of mine with its unfinished tables, and its next evening. `called`: my name there. Tables that wait carry the
 * secret of their invitation.
 */
export interface MyGroupNow {
  id: string
  name: string
  called: string
  count: number
  tables: TableInfo[]
  evening: MyNextEvening | null
}

/** A person's first page; empty for a newcomer. `waits`: of the unfinished tables, by their ids. */
export type HomeInfo = { tables: TableInfo[]; waits: Record<string, WaitsInfo>; groups: MyGroupNow[] }

/** Whether my seat is offered to a friend. */
export interface TransferStatus {
  /** Seconds for which the link can still be used; null: there is none. */
  seconds: number | null
}

/** A seat that a player gives away, and its table. */
export type SeatOffer = { table: TableInfo; seat: number }

/** The sign-in methods that not every server has. */
export interface SignInMethods {
  /** What the host's provider is called; null: there is none. */
  provider: string | null
}

/** The URL to which the browser is redirected for the sign-in. */
export type Redirect = { url: string }

/**
 * An onlooker, and the handle by which the asker may speak of them; unknown ones are only counted
 * (`TableInfo.onlookers`). An empty `name`: they have given none.
 */
export type OnlookerInfo = { id: string; name: string }

/** The numbers of a components file, in the form of that file; `own`: they differ from the game's. */
export type PrintedNumbers = { digest: string; own: boolean; values: unknown }

/**
 * The commitment to the seed of a daily deal: SHA-256 of `salt` followed by `seed`, published the day before, and both
 * of them from the day `opens` on, when no try of it counts any more. No hash: on a machine that nobody else can reach
 * a deal follows from its date alone.
 */
export interface SeedCommitment {
  game: string
  day: string
  opens: string
  seed_hash: string | null
  seed: string | null
  salt: string | null
}

/** The outcome of a deal for its seat; `margin`: to the best of the others. */
export type DailyOutcome = { points: number; place: number; margin: number }

/** The result of a person with whom I have played. */
export type FriendResult = { name: string; outcome: DailyOutcome }

/** A bot's result in a deal where I sat; null: it still thinks. */
export type BotResult = { bot: string; outcome: DailyOutcome | null }

/** The distribution of scores in a deal. `points`: how many people have how many points, myself among them. */
export type ScoreDistribution = { points: [number, number][]; friends: FriendResult[]; bots: BotResult[] }

/**
 * A deal, as far as I may know it. `table`: where I played it. `closed`: no try of it counts any more, so that its
 * moves can be looked at, its file had, and everybody may play it for nothing; that is from the day `sealed.opens` on.
 */
export interface DealInfo {
  day: string
  closed: boolean
  seat: number
  sealed: SeedCommitment
  standing: TryStatus
  table: string | null
  outcome: DailyOutcome | null
  world: ScoreDistribution | null
}

/** My result in the deal of a day. */
export type CalendarEntry = { day: string; standing: TryStatus; outcome: DailyOutcome | null }

/**
 * The deals of a game. `lone`: they follow from their dates alone. `back`: the clock was set back, for the deal of that
 * day was begun already. `archive`: my tries, the newest first; `first`: the earliest day that can be played.
 */
export interface DayInfo {
  game: string
  bot: string
  players: number
  lone: boolean
  ready: boolean
  back: string | null
  today: DealInfo
  tomorrow: SeedCommitment
  /** Yesterday's, which still counts for those who have begun it, and the last one that is closed. */
  before: SeedCommitment[]
  archive: CalendarEntry[]
  first: string
  /** For how many days in a row I have finished the day's deal, up to now. */
  row: number
  best: number
}

/** The id of a group that was founded. */
export type GroupId = { id: string }

/**
 * A member of a group. `games` and `wins`: of its finished games, by game. `comes`: whether they come to the next
 * evening; null: they have not said.
 */
export interface GroupPerson {
  id: string
  name: string
  mark: AvatarChoice | null
  role: Role
  you: boolean
  games: Record<string, number>
  wins: Record<string, number>
  comes: boolean | null
}

/** The next evening of a group: when it begins, and the address of the calendar of all of them. */
export type EveningInfo = { evening: Evening; next: string; calendar: string }

/** A group, as its members see it; a person with its link sees its name, who invites, and how many there are. */
export interface GroupInfo {
  id: string
  name: string
  count: number
  /** The name of its founder. */
  by: string
  /** What I am there; null: I do not belong to it. */
  role: Role | null
  /** The secret of its link; null: it was withdrawn. */
  invite: string | null
  people: GroupPerson[]
  /** Those that wait carry the secret of their invitation: who belongs to the group may sit down. */
  tables: TableInfo[]
  evening: EveningInfo | null
  /** Those that are not over, the next one first. */
  evenings: Evening[]
}

/**
 * A step of a lesson; with `choices` it is a question, else something to do on the board. `lit`: places of the board
 * that it is about. `right`: the choice that is.
 */
export type StepInfo = { name: string; choices: string[]; right: string | null; lit: string[] }

/** A lesson, and about how many minutes it takes. */
export type LessonInfo = { name: string; minutes: number; steps: StepInfo[] }

/** A phrase: a catalogue key, with the values of its placeholders; phrases may be among these. */
export type Phrase = { key: string; args: Args }

/** An action that a player may try and that is not possible now, and why. */
export type Refusal<C extends Choice = Choice> = { choice: C; reason: Phrase }

/** A decision of a seat: the question and its choices. */
export interface Decision<C extends Choice = Choice> {
  /** The question; for a seat without one what it waits for, if there is more to say than for whom. */
  ask: Phrase | null
  /** What it may do now; nothing for a seat that owes no decision, and for spectators. */
  legal: C[]
  /** What it may want to do and cannot. */
  refusals: Refusal<C>[]
  /**
   * Its one move is no decision and is played for it (`Position.forced`; at a table of a server what `Position.imposed`
   * says, unless the person makes such moves themselves).
   */
  forced: boolean
}

/**
 * An event of the game, in its words. `type` names the catalogue key `log.<type>`; `args` holds numbers, tokens such as
 * `"blue 5"`, lists of them. A `private` event is for its seat alone; the field is absent from all others.
 */
export type GameEvent = { type: string; seat: number | null; args: Args; private?: boolean }

/** A seat's view of a position, in the form of a snapshot of a table that only its person knows. */
export interface SandboxState<C extends Choice = Choice> {
  table: TableInfo
  /** The game's own. */
  view: unknown
  decision: Decision<C>
  /** What has just happened, as far as they may know of it. */
  events: GameEvent[]
}

/** A whole move: in notation, in words, and step by step. */
export interface Description<C extends Choice = Choice> {
  notation: string
  /** For everybody; where a catalogue has the same key with `.own`, that is for whoever makes the move. */
  words: Phrase
  steps: C[]
}

/** The start of a step; `show`: a right answer, for those who ask to see one. */
export type StepStart<C extends Choice = Choice> = { scene: SandboxState<C>; show: Description<C> | null }

/** The comment on a move, and the position after it if it is right. */
export type StepAnswer<C extends Choice = Choice> = { right: boolean; say: Phrase; scene: SandboxState<C> | null }

/** A finishing action of a move in the making, and what its button says. */
export type Confirmation = { action: number; label: Phrase }

/** The preview of an unfinished move. */
export interface Preview<C extends Choice = Choice> {
  /** What is asked now. */
  ask: Phrase
  /** What may be added to it. */
  add: C[]
  /** Actions that would finish it now. */
  confirm: Confirmation[]
  /** What it would do, in words. */
  say: Phrase[]
  /** Whether that is worth pointing out, such as paying exactly. */
  good: boolean
  /** A sensible choice of all its further steps but the finishing one. */
  suggest: C[] | null
  /** What one may want to add and cannot. */
  refusals: Refusal<C>[]
  /** What the move would do with the suggested steps, if there are any, so that nobody has to ask for that too. */
  then: Preview<C> | null
}

/** The description of a piece: everything that somebody who touches it wants to know. */
export interface About {
  /** Its name, by which it is drawn: of a place, what lies there. */
  piece: string
  /** What it is called. */
  name: Phrase
  /** What it is and does, by the rules. */
  what: Phrase[]
  /** What it is worth to a seat in this position; nothing for spectators, and after the end. */
  worth: Phrase[]
  /** The section of the rules that it belongs to: its heading in English, as in an address. */
  rule: string
}

/** A point of a curve: when, the level in rungs (0 is the lowest), and its range. */
export type CurvePoint = { at: string; level: number; low: number; high: number }

/** Somebody with whom a person has played a game often. `page`: of theirs, if they show one. */
export type Opponent = { name: string; mark: AvatarChoice | null; games: number; page: string }

/** How a person stands in a game. */
export interface GameLevel {
  game: string
  /** That counted. */
  games: number
  /** Of these, those with a bot at the table. */
  with_bots: number
  level: number | null
  low: number | null
  high: number | null
  /** About how many more games it takes until then; 0: it is known. */
  to_go: number
  /** The level after each game, as it is seen today; thinned. */
  curve: CurvePoint[]
  opponents: Opponent[]
}

/** How somebody's last games with other people went. */
export interface Reliability {
  /** How many these are, at most ten. */
  games: number
  /** Those of them that they did not leave. A game that all agreed to end was not left. */
  stayed: number
  /** Those with a clock. */
  timed: number
  /** Those of these in which it never ran out for them. Days off, pauses and nights stop it. */
  in_time: number
}

/** The levels of a person. `rungs`: the bots that stand on them, from the lowest. */
export interface LevelsOf {
  name: string
  mark: AvatarChoice | null
  you: boolean
  shows: Shows
  /** The name of their page; empty while nobody else may see it. */
  page: string
  rungs: string[]
  games: GameLevel[]
  reliability: Reliability
  /** Whether games count on this server. */
  on: boolean
}

/** What is shown of the person of a seat, before one plays with them. */
export interface SeatLevel {
  seat: number
  /** In rungs; null: it is not known, or not shown. */
  level: number | null
  low: number | null
  high: number | null
  games: number
  page: string
  /** At a table that anyone may join. */
  reliability: Reliability | null
}

/** What is shown of the people of a table. `why_not`: why its game will not count; null: it will. */
export type TableLevels = { rungs: string[]; seats: SeatLevel[]; why_not: WhyNot | null }

/** The operators' message to everybody. */
export type HouseMessage = { id: string; text: Record<string, string> }

/** Maintenance of the service from a moment on; `on`: it has begun. */
export type HouseMaintenance = { begins: string; on: boolean; text: Record<string, string> }

/** A message of the operators to me: a ready `phrase` or a `text`. */
export type HouseWord = { id: string; phrase: string; text: string }

/** The operators' messages to everybody and to me. `barred`: until when they have barred me; empty: for good. */
export interface HouseInfo {
  message: HouseMessage | null
  maintenance: HouseMaintenance | null
  words: HouseWord[]
  barred: string | null
  host: boolean
}

/** The row counts of the database. */
export interface Counts {
  people: number
  guests: number
  /** Who came in the last day. */
  new_people: number
  waiting: number
  playing: number
  finished: number
  /** Tables that were made in the last day. */
  begun: number
  outbox: number
  new_reports: number
  database_bytes: number
}

/** The verdict on the copies of the last night. */
export interface CopyVerdict {
  /** When, in seconds since 1970. */
  at: number
  /** Whether a copy of this night is there, and the newest one can be restored: it was, and all of it was checked. */
  good: boolean
  /** In one sentence, for the host. */
  says: string
  /** The name of the newest copy. */
  newest: string
  /** When that was made. */
  made: number
  bytes: number
  /** How many copies there are. */
  kept: number
  /** How long it took to make and check it. */
  seconds: number
  /** Copies that are not as they were written. */
  damaged: string[]
  /** Where the copies are. */
  folder: string
}

/** The state of the service in numbers: what there is, who is here, and what the machine has left. */
export interface Numbers {
  version: string
  counts: Counts
  people_here: number
  onlookers_here: number
  tables_here: number
  load: number
  processors: number
  /** Bytes of the process that answers. */
  memory: number
  memory_free: number
  memory_all: number
  disk_free: number
  disk_all: number
  /** The newer version that there is, where the host has it asked for. */
  newer: string | null
  /** What was found of the copies in the last night, where any are made. */
  copies: CopyVerdict | null
}

/** An operator of the service. */
export type HostInfo = { person: string; name: string; since: string; me: boolean }

/** The numbers, the operators, and the message to everybody. `safe`: whether I have a way back to this page. */
export interface Overview {
  numbers: Numbers
  hosts: HostInfo[]
  message: HouseMessage | null
  maintenance: HouseMaintenance | null
  safe: boolean
}

/** A line of a report; `reported`: the one that it is about. */
export interface ReportedLine {
  at: number
  person: string
  seat: number | null
  name: string
  audience: string
  phrase: string
  text: string
  reported: boolean
}

/** A report of a line, with those around it, or of a `name`. */
export interface Report {
  id: string
  table: string
  created: number
  status: string
  name: string
  person: string
  person_name: string
  reporter: string | null
  looked: number | null
  done: string
  /** Other reports about the same person. */
  others: number
  lines: ReportedLine[]
  /** What a line was reported for (as the page of the talk calls it); empty: of a name, or it was not asked. */
  about: string
}

/** A person as operators see them. Days, not moments: when they came first and last. */
export interface PersonRow {
  id: string
  name: string
  created: number
  seen: number
  guest: boolean
  companion: boolean
  host: boolean
  barred: number | null
  bars_network: boolean
  devices: number
  tables: number
  reports: number
}

/** The occupant of a seat. */
export type SeatRow = { seat: number; kind: string; name: string; person: string | null; bot: string | null }

/** A table as operators see it: nothing of its game. */
export interface TableRow {
  id: string
  game: string
  status: string
  created: number
  updated: number
  moves: number
  host: string
  seats: SeatRow[]
  locked: boolean
  watch: string
  invite: string | null
}

/** The secret by which an operator looks on; empty: the table's URL alone is enough. */
export type LookLink = { secret: string }

/** An operator's deed: an entry of the audit log. */
export interface Deed {
  number: number
  at: number
  host: string | null
  kind: string
  person: string | null
  table: string | null
  note: string
  host_name: string
  person_name: string
}

/**
 * A note. `seq`: the change after which it was written; 0: it is about the table as a whole. `move`: how many of the
 * moves that stand were made by then.
 */
export type NoteInfo = { seq: number; move: number; text: string; at: string }

/** A note that another person wrote, who sits on `seat`. */
export interface ReadNote extends NoteInfo {
  seat: number
}

/**
 * The notes at a table that I may read. `me`: who I am; a browser that keeps what it could not send knows by it whose
 * that is. `seat`: mine; null: I do not sit here, and cannot write. `most`: characters of a note. `readers`: after the
 * game, whom all agree on. `said`: whom I let read. `agreed`: of the seats on the devices of all who play, whom each
 * lets read.
 */
export interface NotesInfo {
  me: string | null
  seat: number | null
  most: number
  mine: NoteInfo[]
  theirs: ReadNote[]
  readers: NoteReaders
  said: NoteReaders
  agreed: Record<number, NoteReaders>
}

/** A channel of mine, or of a table. `address`: of a push only the hostname of its service. */
export interface ChannelInfo {
  id: string
  kind: ChannelKind
  address: string
  /** How the browser of a push called itself. */
  name: string
  /** Whether it is this browser. */
  here: boolean
  wants: Topic[]
  confirmed: boolean
  /** When something arrived last. */
  used: string | null
  failing: boolean
  /** The key by which a webhook's messages are signed; shown once. */
  secret: string | null
}

/** The quiet hours of a person: minutes of the day by the clock on their wall; they may go over midnight. */
export type QuietHours = { begin: number; end: number; zone: string }

/** My channels, the topics of each, and my quiet hours. */
export interface NotificationSettings {
  ways: ChannelInfo[]
  quiet: QuietHours | null
  /** By which push services know this server. */
  push_key: string
  /** Whether this server sends e-mails. */
  mail: boolean
  /** How many channels one may have. */
  most: number
}

/** A table's webhook, if it has one. */
export type TableWebhook = { hook: ChannelInfo | null }

/** The channel that a link has ended or confirmed. */
export type LinkOutcome = { kind: ChannelKind; address: string }

/**
 * A seat of an open table. `free`: nobody sits there, or a bot that yields its seat. `program`: true where a program
 * plays for the person.
 */
export interface OpenSeat {
  kind: 'human' | 'bot' | 'open'
  name: string
  bot: string | null
  free: boolean
  program?: boolean
}

/**
 * An open table as everybody may see it. `options`: those that differ from the usual. `until`: when the `fill` bot
 * takes the free seats, in seconds since 1970, or the table is open no longer where there is none. `running`: the game
 * has begun, and bots yield.
 */
export interface OpenTable {
  id: string
  game: string
  seats: OpenSeat[]
  options: Record<string, string>
  /** Whether it is played with other printed numbers, or from a position that was laid out. */
  own: boolean
  hints: boolean
  tempo: Tempo
  time: TimeControl | null
  strength: Strength
  language: string
  created: number
  until: number
  fill: string | null
  running: boolean
}

/** A waiting open table, and how it differs from a search. */
export type NearTable = { table: OpenTable; misses: Miss[] }

/** A wish to be notified of new tables. `until`: its end, in seconds since 1970. */
export type Wish = { games: string[]; tempos: Tempo[]; until: number }

/** My wishes, and how many I may have. */
export type Wishes = { wishes: Wish[]; most: number }

/** A token of mine, without its secret. `used`: when it was last used, to within an hour. */
export type TokenInfo = { id: string; name: string; scope: Scope; created: string; used: string | null; until: string }

/** A new token, which is shown once, and all tokens that I have now. */
export type MadeToken = { token: string; mine: TokenInfo[] }

/** A rating: 95 times in 100 it lies within `give` of the value. */
export type RatingInfo = { value: number; give: number }

/** A person's progress with the puzzles of a game. `next`: the name of one for them; null when all are answered. */
export type PuzzleProgress = { rating: RatingInfo; answered: number; found: number; all: number; next: string | null }

/** A puzzle as it is put: the position, how many whole moves there are, and how hard it has been so far. */
export interface PuzzleInfo<C extends Choice = Choice> {
  name: string
  scene: SandboxState<C>
  moves: number
  rating: RatingInfo
  answered: boolean
}

/**
 * The verdict on an answer. `loss`: how much less it wins than the best move, in per cent of the games, with the 95 %
 * interval. `place`: how many moves are better. `counted`: it was the first answer. `before`, `after`: the rating.
 * `tried`, `found`: by how many people, this one included. `why`: the reasons for the best move, compared with the move
 * that was made; empty where they are compared with another one (`.../why` then gives them).
 */
export interface PuzzleVerdict<C extends Choice = Choice> {
  made: Description<C>
  best: Description<C>
  loss: number
  low: number
  high: number
  place: number
  why: Phrase[]
  counted: boolean
  before: RatingInfo
  after: RatingInfo
  tried: number
  found: number
  scene: SandboxState<C>
}

/**
 * What a page needs besides the table to hand on a result. `name`: of the game, in English, by which other programs
 * know it; `bgg`: its number at BoardGameGeek; `minutes`: null where it was not played at one sitting; `starter`: the
 * seat that moved first.
 */
export interface ResultInfo {
  name: string
  bgg: number | null
  begun: string
  ended: string
  minutes: number | null
  starter: number | null
}

/**
 * The end of a line: the umpire's view, with every hand open, and the decision of the seat that has to act. `actors`:
 * all seats that decide; none when the game is over. `moves`: those of the line, as they are written and in words.
 * `events`: what happened by the last of them. `scores`, `winners`: of a game that is over there.
 */
export interface WhatIfState<C extends Choice = Choice> {
  seat: number | null
  actors: number[]
  /** The game's own. */
  view: unknown
  decision: Decision<C>
  events: GameEvent[]
  moves: Description<C>[]
  scores: number[]
  winners: number[]
}

/**
 * A search's best move, and every seat's chance of winning after it, by so many games. `why` says what it gives,
 * prepares and denies compared with the next best move, or that nothing clear is known: in words of the part `why`.
 */
export interface Advice<C extends Choice = Choice> {
  move: Description<C>
  chances: number[]
  games: number
  why: Phrase[]
}

/** A moment of a finished game: the move that led to it, and the umpire's view with every hand open. */
export type Frame = { seq: number; seat: number | null; notation: string; events: GameEvent[]; view: unknown }

/** A finished game, moment by moment. */
export type History = { frames: Frame[] }

/** A move that was made, compared with the one that a search would have made. */
export interface Judgement<C extends Choice = Choice> {
  /** Who moved. */
  seat: number
  /** What it was. */
  move: Description<C>
  /** Of every seat to win, after the move as it was made, by the games that were played on. */
  chances: number[]
  /** How many; the fewer, the less can be said. */
  games: number
  /** What the search would have done. */
  best: Advice<C>
  /** How much less the mover's chance of winning is than after `best`; 0 for the same move. */
  cost: number
  /** What `best` gives, prepares and denies compared with it, if that costs anything worth a word. */
  why: Phrase[]
}

/** Whether I agree that a finished game is shown to everybody with its link, and by my name. */
export type ShowingChoice = { agree: boolean; named?: boolean }

/**
 * Whether a finished game is shown to others. `mine`: what I said; null: nothing yet, which is as good as no.
 * `suggested`: what I said last among the same people. `agreed`: the seats that have agreed so far. `missing`: the
 * seats that have not. `secret`: of the link, once all agree.
 */
export interface ShowingInfo {
  mine: ShowingChoice | null
  suggested: ShowingChoice | null
  agreed: number[]
  missing: number[]
  secret: string | null
}

/** A finished game without a table at which anybody sits: moment by moment. */
export type SharedGame = { table: TableInfo; frames: unknown }

/** A season in a list. `leader`: the name of who leads its first division. */
export interface SeasonBrief {
  id: string
  name: string
  people: number
  round: number
  rounds: number
  starts: number
  started: boolean
  closed: boolean
  entered: boolean
  may_enter: boolean
  leader: string | null
}

/** The seasons of a group, the newest first. */
export type SeasonList = { seasons: SeasonBrief[] }

/** The id of a season that was made. */
export type SeasonId = { id: string }

/**
 * A game of the season; `sizes`: how many play at a table, the number that is liked best first. `components`: the
 * digest of its printed numbers, and `rules` their version: those of the day on which the season was made.
 */
export interface SeasonGame {
  game: string
  sizes: number[]
  options?: Record<string, string>
  rules?: string
  components?: string
}

/** The terms of a season. Moments are seconds since 1970. */
export interface SeasonTerms {
  name: string
  games: SeasonGame[]
  /** When each round begins; `ends`: when the last one is over, as each other one is when the next is drawn. */
  starts: number[]
  ends: number
  /** By whose clocks people are told when a round begins. */
  zone?: string
  play?: Play
  pairing?: Pairing
  /** Seconds before its beginning when a round is drawn: until then people may say that they are absent. */
  ahead?: number
  /** Seconds after the beginning of an evening for which people who have not come are waited for. */
  wait?: number
  step?: number
  reserve?: number
  days?: number
  /** Who plays for people who do not come, where nobody stands in. */
  bot?: string
  /** How many rounds without a table cost nothing: they count as the average of one's tables. */
  free_absences?: number
  /** The last round before which one may still enter. */
  late_until?: number
  /**
   * People of a division. `stage`: after so many rounds the first and last of the divisions change places (0: never),
   * `moves` of each.
   */
  division?: number
  stage?: number
  moves?: number
  /** What parts those of equal points, in this order. */
  ties?: Tie[]
}

/** A person of a season. `name`: null when they were forgotten: their place stays. */
export interface SeasonPersonInfo {
  who: number
  name: string | null
  gone: boolean
  since: number
  /** Of the beacon, since the start; null: they came later. */
  part: string | null
}

/**
 * A table of a round. `people`: who was drawn, seat by seat; `seats`: who sits there since it began, 0 for a bot.
 * `points`: of the season, when it has ended.
 */
export interface SeasonTableInfo {
  number: number
  game: string
  division: number
  people: number[]
  seats: number[] | null
  table: string | null
  days: boolean
  scores: number[] | null
  points: number[] | null
  absent: number[]
}

/** A round that was drawn. `here`: who is there for it; `reserve`: who may sit in for others. */
export interface SeasonRoundInfo {
  round: number
  tables: SeasonTableInfo[]
  rests: number[]
  absent: number[]
  reserve: number[]
  here: number[]
  fingerprint: string
}

/** How a person stands. */
export interface Standing {
  who: number
  division: number
  /** From 1, in their division. */
  place: number
  /** All that count. `line`: points of each round so far; null: no table. */
  points: number
  line: (number | null)[]
  /** Played; `missed`: rounds without a table, of which `free` counted as the average. */
  tables: number
  missed: number
  free: number
  /** What parts those of equal points, in the order of the terms. */
  ties: number[]
}

/** A season, as its group sees it. Moments are seconds since 1970. */
export interface SeasonInfo {
  id: string
  group: string
  terms: SeasonTerms
  commitment: string
  beacon: string
  /** When it is over. */
  secret: string | null
  started: boolean
  closed: boolean
  may_enter: boolean
  /** My number; null: I have not entered. `wishes`: what I said of rounds to come. */
  you: number | null
  people: SeasonPersonInfo[]
  rounds: SeasonRoundInfo[]
  standings: Standing[]
  wishes: Record<number, 'absent' | 'stand_in'>
  /** When the next round is drawn, and begins; null: there is none. */
  next: number | null
}

/** A move that is written ahead: its id, the question that it answers, and the move in words. */
export type OrderInfo = { id: string; asked: Phrase | null; words: Phrase }

/**
 * The moves that a seat has written ahead, in the order in which they are tried. `quiet`: only while nothing has come
 * to light since they were written. `goes_on`: those that are made stay in the list, for later turns. `alert`: nothing
 * is made where something of another kind can be done that could not where the move was written. `soon`: it is the
 * seat's turn, and one of them will be made by itself. `most`: moves of a list.
 */
export interface OrdersInfo {
  seat: number
  orders: OrderInfo[]
  quiet: boolean
  goes_on: boolean
  alert: boolean
  soon: boolean
  most: number
}

/** A move of a guess: whose, and in words. */
export type MadeMove<C extends Choice = Choice> = { seat: number; move: Description<C> }

/**
 * A guess as the seat would see it: the position with what is asked there, and the moves that led to it. `asked`:
 * whether the seat is asked; it is not when the game is over there.
 */
export interface GuessState<C extends Choice = Choice> {
  scene: SandboxState<C>
  moves: MadeMove<C>[]
  asked: boolean
  seq: number
}

/**
 * A request for an undo that waits for answers. `asked`: whose. `events`: how many of the latest events would be
 * undone, of which the first `move` are those of the move itself; what followed goes with it.
 */
export type UndoWish = { by: number; asked: number[]; events: number; move: number }

/**
 * An activity of the people at a table, for the log: in words `note.<kind>` of the catalogue. `at`: seconds since 1970.
 * `after`: how many events of the same message were before it.
 */
export interface ActivityEntry {
  seq: number
  at: number
  after: number
  kind: string
  seat: number | null
  args: Record<string, number | string>
}

/**
 * The table at `seq`. `events` happened after `from`; when that is 0 they are all there are. `asked`: since when you
 * are asked what you are asked now; null when nothing is. `by_bot`: you have come back and not moved since; a bot has
 * made so many moves for you, which can be taken back as your own (`can_undo`).
 */
export interface Snapshot<C extends Choice = Choice> {
  type: 'update'
  seq: number
  from: number
  table: TableInfo
  /** The game's own struct; null before the start. */
  view: unknown
  decision: Decision<C>
  events: GameEvent[]
  undo: UndoWish | null
  can_undo: 'free' | 'ask' | null
  asked: number | null
  notes?: ActivityEntry[]
  by_bot?: number
}

/**
 * The delta of a struct: `fields` have a new value; of the `items` of lists, by their place, the changed fields, or all
 * of them where there was no item before.
 */
export type Changes = { fields: Record<string, unknown>; items: Record<string, Record<string, unknown>> }

/**
 * The changes since the snapshot or delta before it on the same socket; a decision that is null is the same. Everything
 * else is as in an update.
 */
export interface Delta<C extends Choice = Choice> {
  type: 'news'
  seq: number
  from: number
  table: Changes
  view: Changes
  decision: Decision<C> | null
  events: GameEvent[]
  undo: UndoWish | null
  can_undo: 'free' | 'ask' | null
  asked: number | null
  notes?: ActivityEntry[]
  by_bot?: number
}

/** The message is carried out and durable, since `seq`. */
export type Ack = { type: 'ack'; id: string; seq: number }

/** What the unfinished move would do. */
export type PreviewAnswer<C extends Choice = Choice> = { type: 'preview'; id: string; seq: number; preview: Preview<C> }

/** What the pieces are, in the order in which they were asked for. */
export type AboutAnswer = { type: 'about'; id: string; seq: number; about: About[] }

/** A whole move that a Master would make, in steps and in notation, and every seat's chance of winning after it. */
export type HintAnswer<C extends Choice = Choice> = { type: 'hint'; id: string; seq: number; advice: Advice<C> }

/** A message that was refused and changed nothing; `id` is null when it could not be read. */
export type ErrorAnswer = { type: 'error'; id: string | null; code: string; detail: string; args: Args }

/** The seats that are present; the other fields as in `TableInfo`. */
export type Presence = { type: 'presence'; online: number[]; onlookers: number; host_here: boolean }

/** A bot has begun to think. */
export type Thinking = { type: 'thinking'; seat: number }

/** I am there; `now`: seconds since 1970, by the clock of the tables. */
export type Pong = { type: 'pong'; now: number }

/** The operators' messages have changed: `GET /api/house` returns them. */
export type HouseNews = { type: 'house' }

/** A move that is tried: the seat that makes it, and its steps. */
export type TriedMove = { seat: number; steps: number[] }

/** The state of the after-game room: which seat leads, if one does, and the moment. */
export type Room = { type: 'room'; leader: number | null; seq: number | null; line: TriedMove[] }

/** A seat points at a piece. */
export type Pointed = { type: 'pointed'; seat: number; piece: string; place: string }

/** A seat has laid a table that goes on from a moment of this game, where a seat is kept for you. */
export type InvitedOn = { type: 'invited_on'; seat: number; table: string }

/**
 * A line of the talk: a ready `phrase` or a `text`. `at`: when, in milliseconds since 1970; no two lines of a table
 * have the same. `who`: the same for all lines of a person, at all tables, and another one for each reader. `bench`:
 * said among onlookers, while the game ran.
 */
export interface SaidLine {
  at: number
  who: string
  /** What the speaker was called then. */
  name: string
  /** Where they sat; null: they looked on. */
  seat?: number | null
  mine?: boolean
  bench?: boolean
  phrase?: string
  text?: string
}

/** The news of a line of the talk. */
export type Said = { type: 'said'; line: SaidLine }

/** A page of the talk, the oldest line first; `more`: there are lines before it. */
export type TalkAnswer = { type: 'talk'; id: string; lines: SaidLine[]; more: boolean }

/** All open tables, the newest first. */
export type OpenList = { type: 'open'; tables: OpenTable[] }

/** The delta of the list: open tables that are new or have changed, and those that are gone. */
export type OpenChanges = { type: 'open_changes'; tables: OpenTable[]; gone: string[] }

/** The changes to a profile. */
export interface MeUpdate {
  name?: string | null
  language?: string | null
  by_hand?: boolean | null
  /** null: no mark any more. */
  mark?: AvatarChoice | null
}

/** An authenticator's response; the second field comes at the creation, the others at a sign-in. */
export interface Response {
  clientDataJSON: string
  attestationObject?: string | null
  authenticatorData?: string | null
  signature?: string | null
}

/** A public-key credential, as browsers write it. */
export type CredentialResponse = { id: string; rawId: string; type: string; response: Response }

/** The credential that a browser's passkey answers with. */
export type Credential = { credential: CredentialResponse }

/** The person or bot wanted on one seat of a new table. */
export interface NewSeat {
  kind: 'me' | 'open' | 'bot' | 'companion'
  bot?: string | null
  /** Of a companion, who plays on the maker's device. */
  name?: string
  /** For whom an open seat is kept: a handle (`domain.invite`). */
  invite?: string
}

/**
 * A table to be made. It starts at once when no seat is open, unless `start` is false. `hints`: at their turn people
 * may ask what a Master would do. `patience`: seconds of absence before a bot may play for a person; null: what is
 * usual at its pace (`domain.patience`). `scenario`: the text of a file that says from which position the game begins,
 * with its own options and components; taken only by servers that are set up for it. `time`: the clock; without one
 * nobody is in a hurry. `zone`: the time zone of the maker, such as Europe/Budapest; it says when their nights are.
 * `policy`: who may join, watch and talk. `group`: for which group it is made; `call`: its people are told.
 */
export interface NewTable {
  game: string
  seats: NewSeat[]
  options?: Record<string, string>
  components?: string | null
  pace?: Pace
  hints?: boolean
  patience?: number | null
  start?: boolean
  scenario?: string | null
  time?: TimeControl | null
  zone?: string
  policy?: TablePolicy
  group?: string | null
  call?: boolean
}

/** The request to sit down. */
export interface Join {
  /** The secret; empty where anybody may join. */
  invite: string
  name: string
  seat?: number | null
  /** The time zone in which they are, such as Europe/Budapest. */
  zone?: string
}

/** Another occupant for a seat. */
export type ChangeSeat = { seat: number; kind: 'open' | 'bot'; bot?: string | null }

/** A companion to be seated: a person who plays on the asker's device, on a free seat. */
export type SeatCompanion = { seat: number; name: string }

/** Everything that is agreed at a table, as in `NewTable`: what is not named is the usual. */
export interface Terms {
  options?: Record<string, string>
  pace?: Pace
  hints?: boolean
  patience?: number | null
  time?: TimeControl | null
  /** The time zone of the host; it counts for those who sat down before there was a clock. */
  zone?: string
  policy?: TablePolicy
}

/** A new order of the seats: the present ones in their new order; null: drawn by lot. */
export type SeatOrder = { order: number[] | null }

/**
 * The next host of a waiting room: the person on this seat, named by the host; null: the asker, because the host is
 * absent.
 */
export type NewHost = { seat: number | null }

/** The request to take a seat that a player gives away, with the secret of their link. */
export interface TakeSeat {
  secret: string
  name: string
  /** The time zone in which they are, such as Europe/Budapest. */
  zone?: string
}

/** The start of a sign-in. `keep`: link the identity to the person of this browser. */
export type SignInRequest = { keep?: boolean }

/** The request to play a deal: today's, which counts if it is the first time, or a closed one, for nothing. */
export type PlayDeal = { day: string; pace?: Pace }

/** A group to be founded, and the founder's name there. */
export type NewGroup = { name: string; called: string }

/** Changes to a group. `link`: a new one, which revokes the old one, or none. */
export interface GroupChange {
  name?: string | null
  link?: 'renew' | 'withdraw' | null
  /** All of its evenings, instead of those that it had. */
  evenings?: Evening[]
}

/** My answer to an evening, which begins when the group's `next` says; null: I take it back. */
export type EveningAnswer = { evening: string; comes: boolean | null }

/** A person's new role in a group; null: they are taken out. */
export type GroupPersonChange = { person: string; role: 'keeper' | 'member' | null }

/** Who may see my levels. */
export type ShowLevels = { shows: Shows }

/**
 * The decision about a report, and a message to both people; `text`: to the person whom it is about, in words of one's
 * own.
 */
export interface Settled {
  done?: string
  to_person?: Ready | null
  to_reporter?: Ready | null
  text?: string
  /** Whether the line is taken away where it was said. */
  take?: boolean
}

/** A deed about a person. `days`: of a bar; null: for good. */
export interface PersonDeed {
  do: 'rename' | 'sign_out' | 'bar' | 'unbar' | 'delete' | 'word' | 'host' | 'no_host'
  name?: string
  days?: number | null
  network?: boolean
  phrase?: Ready | null
  text?: string
}

/** A deed about a table. `seat`: of the person who becomes its host. */
export type TableDeed = { do: Do; seat?: number }

/** A message to everybody for so many hours; null: none any more. */
export type Telling = { text: Record<string, string> | null; hours?: number }

/** The minutes until maintenance begins; null: it is over. */
export type Maintaining = { minutes: number | null; text?: Record<string, string> }

/** What a note says from now on, empty: it is gone; and `before`: what the writer knew of it. */
export type NoteText = { text: string; before?: string }

/** Who may read the notes of a finished game, if all who played say the same or more. */
export type NoteReadersChoice = { readers: NoteReaders }

/** Changes to my settings. `wants`: the topics of each channel; `quiet`: null for no quiet hours. */
export type NotificationUpdate = { wants?: Record<string, Topic[]>; quiet?: QuietHours | null }

/** An e-mail address of mine. */
export type NewMail = { address: string }

/** A webhook of mine, or of a table. */
export type NewWebhook = { url: string; wants?: Topic[] }

/**
 * A search for a table. The same `id` again is the same search again: a client makes its ids at random. `games`: the
 * one they like best first. `company`: people alone, or people with bots on the seats that stay free. `name`, `zone`,
 * `language`: theirs, as at any table. `strength`: whom they hope for. `tempo`: at any pace, unless they say which.
 */
export interface Find {
  id: string
  games: string[]
  tempo?: Tempo | 'any'
  company?: 'people' | 'bots'
  name?: string
  zone?: string
  language?: string
  strength?: Strength
}

/** A wish to be notified of new tables: of any of these games, at any of these paces. */
export type NewWish = { games: string[]; tempos: Tempo[] }

/** A token to be made: its name, its scope, and for how many days it is valid. */
export type NewToken = { name: string; scope: Scope; days?: number }

/** Agree, or not, to another player's undo. */
export type AnswerUndo = { type: 'undo_answer'; id: string; agree: boolean }

/** Agree, or not, to what the people are asked. */
export type AnswerVote = { type: 'vote'; id: string; agree: boolean }

/** Let me play again instead of the bot. */
export type Back = { type: 'back'; id: string }

/** I give this game up for good; a bot plays it to the end. */
export type Resign = { type: 'resign'; id: string }

/**
 * The request for a table that goes on from a moment of a finished game, or from a line that was tried there. `again`:
 * what does not lie open to everybody is dealt again; else all cards are as they were. `zone`: the time zone of the
 * maker.
 */
export interface PlayOn {
  seq: number
  seats: NewSeat[]
  line?: TriedMove[]
  again?: boolean
  zone?: string
  join?: 'invited' | 'anyone'
}

/** The text of a replay file. */
export type ReplayFile = { text: string }

/** A season to be made for a group. */
export type NewSeason = { group: string; terms: SeasonTerms }

/** What a person wants in a round that is not drawn yet: to play, to be absent, or to sit in for others. */
export type RoundWish = { round: number; wish: 'play' | 'absent' | 'stand_in' }

/** I am there for the round, or I would play my table by days. */
export type RoundPresence = { how?: 'here' | 'by_days' }

/**
 * A guess from the table as it is. `seat`: of a companion; without it one's own. `answers`: own moves in it to the
 * questions before.
 */
export type Where = { seat?: number | null; guess?: number; answers?: number[][] }

/** A report of a line, by its number (`SaidLine.at`), and the reason; `block`: its speaker is blocked, too. */
export type LineReport = { line: number; about?: Concern; block?: boolean }

/** The handshake: the seq that the client has seen. */
export type Hello = { type: 'hello'; since?: number | null }

/** Is anybody there? */
export type Ping = { type: 'ping' }

/** Is the page visible? It is, until it says otherwise. */
export type PageVisible = { type: 'seen'; seen: boolean }

/** What are these pieces, and what are they worth to me? */
export type AskAbout = { type: 'about'; id: string; pieces: string[] }

/** What would an unfinished move do? */
export type AskPreview = { type: 'preview'; id: string; seq: number; steps: number[] }

/** What would a Master do? */
export type AskHint = { type: 'hint'; id: string; seq: number }

/** A whole move, chosen at `seq`. The same `id` again is the same move again: a client makes its ids at random. */
export type MoveCommand = { type: 'move'; id: string; seq: number; steps: number[] }

/** Take my last move back. `ask`: ask the others if they have to agree; else that is refused as `undo_asks`. */
export type AskUndo = { type: 'undo'; id: string; ask?: boolean }

/** Agree, or not, that a bot plays for a seat whose owner is gone; who agrees first suggests it. */
export type AgreeToSubstitute = { type: 'stand_in'; id: string; seat: number; agree?: boolean }

/** Let us pause for so many seconds. */
export type AskPause = { type: 'ask_pause'; id: string; seconds: number }

/** Let us end this game as it is. */
export type AskEnd = { type: 'ask_end'; id: string }

/** Let fewer people look on, from now on; or, if the others agree, more. */
export type AskWatch = { type: 'ask_watch'; id: string; watch: Watching }

/** End the pause. */
export type Resume = { type: 'resume'; id: string }

/** Take so many days off from now on; 0: I am back. */
export type Vacation = { type: 'vacation'; id: string; days: number }

/** After the game: I lead through it from now on, or not any more. */
export type Lead = { type: 'lead'; id: string; lead: boolean }

/** The leader goes to the moment after the change `seq`, and along a line that is tried from there. */
export type LookAt = { type: 'at'; id: string; seq: number; line?: TriedMove[] }

/** After the game: point at a piece for all, by its name; of several of the same name at the one at a place. */
export type PointAt = { type: 'point'; id: string; piece: string; place?: string }

/** Say a ready phrase, or a text, to those who hear me. The same `id` again is the same line again. */
export interface Say {
  type: 'say'
  id: string
  phrase?: Saying | null
  /** As long as a message may be: the answer says how long a line may be. */
  text?: string
}

/** What was said last, or before the line `before`? */
export type AskTalk = { type: 'talk'; id: string; before?: number | null; most?: number }

/** What the page says at a table. */
export type ToServer =
  | Hello
  | Ping
  | PageVisible
  | AskAbout
  | AskPreview
  | AskHint
  | MoveCommand
  | AskUndo
  | AnswerUndo
  | AgreeToSubstitute
  | AskPause
  | AskEnd
  | AskWatch
  | AnswerVote
  | Resume
  | Back
  | Resign
  | Vacation
  | Lead
  | LookAt
  | PointAt
  | Say
  | AskTalk

/** What the page is told at a table. */
export type ToPage =
  | Snapshot
  | Delta
  | Ack
  | PreviewAnswer
  | AboutAnswer
  | HintAnswer
  | ErrorAnswer
  | Presence
  | Thinking
  | Pong
  | HouseNews
  | Room
  | Pointed
  | InvitedOn
  | Said
  | TalkAnswer

/** What the page is told at a socket of a feature. */
export type OpenNews = OpenList | OpenChanges
