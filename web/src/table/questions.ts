/**
 * Questions to the board, in words or letters, each answered in a sentence of what the asker sees. What all games have in
 * common is here; a game says its own facts in `games/<game>/questions.ts`. By what words a fact is asked for is in the
 * catalogues: `ask.<name>.words`, separated by commas, the first as the example that is shown.
 */
import type { Speak } from '../lib/i18n.svelte'
import type { About, Choice, GameEvent } from '../lib/wire'

/** What a question is answered from: only what is on the asker's screen. */
export interface Asked<View = unknown> {
  view: View
  you: number | null
  seats: number[]
  say: Speak
  name: (seat: number) => string
  /** Whether something is asked of you, and what is asked or awaited, in words. */
  yours: boolean
  sentence: string
  legal: Choice[]
  log: GameEvent[]
  line: (event: GameEvent) => string | null
}

/** What a question is about: "blue" in "how much blue". */
export interface Subject {
  value: string
  /** Its names, separated by commas. */
  names: string
}

export interface Fact<View = unknown> {
  name: string
  /** About what it is asked. */
  of?: (asked: Asked<View>) => Subject[]
  /** Whether naming that is enough of a question. */
  plain?: boolean
  /** Whether only those who play can ask it. */
  own?: boolean
  /** Whether the example is the name of one of them. */
  named?: boolean
  answer: (asked: Asked<View>, subject: string) => string
}

export interface Questions<View = unknown> {
  facts: Fact<View>[]
  /** Events by which one knows a move: what changed is what came after the last one of your own. */
  moves: string[]
  /** Events that are not worth a word. */
  quiet: string[]
  /** The points of a seat; null while they are hidden. */
  points: (view: View, seat: number) => number | null
}

export const MOST = 120
/** Stands at the end of what goes on. */
const ON = ' …'

const list = (words: string): string[] =>
  words
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)

/** Words without accents, signs and capitals. */
function words(text: string): string[] {
  const plain = text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '')
  return plain.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
}

/** Endings are no matter: "towers" asks for "tower". */
const means = (said: string, word: string): boolean => said === word || (word.length > 2 && said.startsWith(word))

/** How many words of a name or a phrase are said: all of them, or none counts. A letter asks only when it is alone. */
function heard(said: string[], phrases: string): number {
  const found = list(phrases).map((phrase) => {
    const wanted = words(phrase)
    if (wanted.length === 1 && wanted[0]!.length === 1 && said.length > 1) return 0
    return wanted.every((word) => said.some((one) => means(one, word))) ? wanted.length : 0
  })
  return Math.max(0, ...found)
}

/** The names of a word: as the game says it, and by what else it is asked for. */
export function named(asked: Asked, kind: string, value: string, key = `${kind}.${value}`): Subject {
  const more = `ask.of.${kind}.${value}`
  const names = [asked.say(key), asked.say.has(more) ? asked.say(more) : ''].join(',')
  return { value, names }
}

/** Those who sit at the table, by their names; you are "me". */
export const seats = (asked: Asked): Subject[] =>
  asked.seats.map((seat) => ({
    value: String(seat),
    names: asked.name(seat).replaceAll(',', ' ') + (seat === asked.you ? `,${asked.say('ask.me.words')}` : ''),
  }))

/** The name of a player in an answer. */
export const called = ({ you, say, name }: Asked, seat: number): string => (seat === you ? say('ask.you') : name(seat))

/** "Ada 3, you 2": the one with more comes first. */
export function ranked(asked: Asked, count: (seat: number) => number, all = asked.seats): string {
  const rows = all.map((seat) => ({ seat, n: count(seat) })).sort((one, other) => other.n - one.n)
  return rows.map(({ seat, n }) => `${called(asked, seat)} ${n}`).join(', ')
}

/** Who has most of something, and how many; null where nobody has any. */
export function leaders(
  asked: Asked,
  count: (seat: number) => number,
  all = asked.seats,
): [seats: number[], n: number] {
  const most = Math.max(0, ...all.map(count))
  return [most ? all.filter((seat) => count(seat) === most) : [], most]
}

const capital = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1)

/** What happened, in words; whose turn it is, is another question. */
const told = ({ log, line }: Asked, { quiet }: Questions, from = 0): string[] =>
  log
    .slice(from)
    .filter(({ type }) => type !== 'turn' && !quiet.includes(type))
    .flatMap((event) => line(event) ?? [])

function changed(asked: Asked, questions: Questions): string {
  const { log, you, say } = asked
  const mine = ({ type, seat, args }: GameEvent): boolean =>
    questions.moves.includes(type) && (args.seat ?? seat) === you
  return told(asked, questions, log.findLastIndex(mine) + 1).join(' ') || say('ask.changed.nothing')
}

/** What is asked at every table. */
export function house(questions: Questions): Fact[] {
  return [
    {
      name: 'turn',
      answer: ({ yours, sentence, say }) => (yours ? `${say('ui.table.your_turn')}. ${sentence}` : sentence),
    },
    { name: 'changed', answer: (asked) => changed(asked, questions) },
    { name: 'last', answer: (asked) => told(asked, questions).at(-1) ?? asked.say('ui.table.log_empty') },
    {
      name: 'points',
      answer: (asked) => {
        const points = (seat: number): number | null => questions.points(asked.view, seat)
        const open = asked.seats.filter((seat) => points(seat) !== null)
        const hidden = open.length < asked.seats.length ? [asked.say('ask.points.hidden')] : []
        return [...(open.length ? [ranked(asked, (seat) => points(seat)!, open)] : []), ...hidden].join('; ')
      },
    },
  ]
}

export const factsOf = (questions: Questions): Fact[] => [...questions.facts, ...house(questions)]

/** What can be asked, by an example of each; people may be called by a question, or by no word at all. */
export function examples(asked: Asked, questions: Questions): string[] {
  const plays = asked.you !== null
  // A watcher has to name a player, as no example can.
  const facts = factsOf(questions).filter(({ own, of, named }) => plays || (!own && (named || of !== seats)))
  const each = facts.flatMap(({ name, named, of }) => {
    const all = named ? of!(asked) : []
    const one = all.find(({ value }) => value !== String(asked.you)) ?? all[0]
    return list(one?.names ?? asked.say(`ask.${name}.words`)).slice(0, 1)
  })
  return [...new Set(each)].filter((example) => words(example).length)
}

/** The fact that a question is about, and what it asks of it. */
function understood(asked: Asked, questions: Questions, text: string): [Fact, string] | null {
  const said = words(text)
  let best: [Fact, string] | null = null
  let most = 0
  for (const fact of factsOf(questions)) {
    const phrase = heard(said, asked.say(`ask.${fact.name}.words`))
    for (const { value, names } of fact.of?.(asked) ?? [{ value: '', names: '' }]) {
      const subject = heard(said, names)
      if (fact.of && !subject) continue
      if (!phrase && !fact.plain) continue
      // A player who is called by a question does not take it away.
      const alone = fact.of === seats && subject === said.length
      const score = 2 * phrase + 2 * subject + (alone ? -1 : fact.of ? 1 : 0)
      if (score > most) [best, most] = [[fact, value], score]
    }
  }
  return best
}

/** Whether it is asked what a piece is: that is what the pieces say of themselves, and no fact. */
export function asksForPiece(asked: Asked, questions: Questions, text: string): boolean {
  return heard(words(text), asked.say('ask.about.words')) > 0 || !understood(asked, questions, text)
}

/** The piece that is named most completely. */
function pieceNamed(asked: Asked, pieces: About[], text: string): About | null {
  const said = words(text)
  const rated = pieces.map((piece) => ({ piece, n: heard(said, asked.say.phrase(piece.name).replaceAll(',', ' ')) }))
  return rated.reduce<{ piece: About | null; n: number }>((best, one) => (one.n > best.n ? one : best), {
    piece: null,
    n: 0,
  }).piece
}

/**
 * Answers a question, in as many sentences of at most `MOST` characters as it takes; each is asked for with "more".
 * `pieces`: what those on the table say of themselves, if one of them is asked for.
 */
export function answer(asked: Asked, questions: Questions, text: string, pieces: About[] = []): string[] {
  const piece = pieceNamed(asked, pieces, text)
  if (piece) {
    const { name, what, worth } = piece
    return cut(`${capital(asked.say.phrase(name))}: ${[...what, ...worth].map(asked.say.phrase).join(' ')}`)
  }
  const found = understood(asked, questions, text)
  if (!found) return cut(asked.say('ask.unknown', { questions: examples(asked, questions).join(', ') }))
  const [fact, subject] = found
  if (fact.own && asked.you === null) return [asked.say('ask.watching')]
  return cut(
    capital(
      fact
        .answer(asked, subject)
        .trim()
        .replace(/[.\s]*$/, ''),
    ) + '.',
  )
}

/** Where a list or a sentence has a pause, else between words. */
export function cut(text: string): string[] {
  if (text.length <= MOST) return [text]
  const room = text.slice(0, MOST - ON.length + 1)
  const pause = Math.max(room.lastIndexOf('. ') + 1, room.lastIndexOf(', ') + 1, room.lastIndexOf('; ') + 1)
  const at = pause > MOST / 2 ? pause : Math.max(room.lastIndexOf(' '), 1)
  return [text.slice(0, at) + ON, ...cut(text.slice(at).trimStart())]
}
