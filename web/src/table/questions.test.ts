import { describe, expect, it } from 'vitest'
import { format } from '../lib/format'
import type { Speak } from '../lib/i18n.svelte'
import { answer, asksForPiece, cut, examples, factsOf, MOST, seats, type Asked, type Questions } from './questions'
import type { Args, Choice, GameEvent, Phrase } from '../lib/wire'

type Catalogue = Record<string, string>

/** A moment of a game as a page was told it (`tests/games/asked.py`). */
interface Moment {
  seats: number[]
  you: number | null
  actors: number[]
  ask: Phrase | null
  legal: Choice[]
  view: unknown
  log: GameEvent[]
}

const games = import.meta.glob<Questions>('../games/*/questions.ts', { import: 'default', eager: true })
const moments = import.meta.glob<Moment[]>('../../../tests/games/*/asked.json', { import: 'default', eager: true })
const texts = {
  ...import.meta.glob<Catalogue>('../../../src/ziggurat/text/{,ask/}*.json', { import: 'default', eager: true }),
  ...import.meta.glob<Catalogue>('../../../src/ziggurat/games/*/text/{,ask/}*.json', {
    import: 'default',
    eager: true,
  }),
}
const NAMES = ['Ada', 'Béla', 'Wren', 'Gaudí', 'Sinan the Younger', 'Ictinus', 'Hemiunu']
const LANGUAGES = ['en', 'hu', 'de'] as const
const catalogues = new Map<string, Catalogue>()

function words(game: string, language: string): Catalogue {
  const known = catalogues.get(`${game} ${language}`)
  if (known) return known
  const mine = Object.entries(texts).filter(
    ([path]) => path.endsWith(`/${language}.json`) && (!path.includes('/games/') || path.includes(`/games/${game}/`)),
  )
  const all = Object.assign({}, ...mine.map(([, catalogue]) => catalogue)) as Catalogue
  catalogues.set(`${game} ${language}`, all)
  return all
}

function askedAt(game: string, language: string, { you, ...moment }: Moment): Asked {
  const catalogue = words(game, language)
  const reader = { language, lookup: (key: string) => catalogue[key], seatName: (seat: number) => NAMES[seat]! }
  const write = (key: string, args: Args = {}): string => {
    const pattern = catalogue[key]
    return pattern === undefined ? key : format(pattern, args, reader)
  }
  const say: Speak = Object.assign(write, {
    phrase: ({ key, args }: Phrase) => write(key, args),
    has: (key: string) => key in catalogue,
  })
  const lines = new Map<GameEvent, string | null>()
  const line = (event: GameEvent): string | null => {
    const known = lines.get(event)
    if (known !== undefined) return known
    const { type, seat, args } = event
    const about = args.seat ?? seat
    const key = about === null && say.has(`log.${type}.nobody`) ? `log.${type}.nobody` : `log.${type}`
    const said = say.has(key) ? say(key, { ...args, seat: about }) : null
    lines.set(event, said)
    return said
  }
  return {
    ...moment,
    you,
    say,
    name: (seat) => NAMES[seat] ?? say('label.neutral'),
    yours: moment.legal.length > 0,
    sentence: moment.ask ? say.phrase(moment.ask) : say('ui.table.waiting_for', { seats: moment.actors }),
    line,
  }
}

/** Every moment of a game in a language, as it is asked. */
function* everyMoment(game: string, language: string): Generator<Asked> {
  const all = Object.entries(moments).find(([path]) => path.includes(`/${game}/`))![1]
  for (const moment of all) yield askedAt(game, language, moment)
}

const list = (text: string): string[] => text.split(',').map((one) => one.trim())
const whole = (answers: string[]): string => answers.map((one) => one.replace(/ …$/, ' ')).join('')

const GAMES = Object.entries(games).map(([path, questions]): [string, Questions] => [
  path.split('/').at(-2)!,
  questions,
])
const EACH = GAMES.flatMap(([game, questions]) => LANGUAGES.map((language) => ({ game, language, questions })))

describe.each(EACH)('$game in $language', ({ game, language, questions }) => {
  it('answers every question in every one of its words', () => {
    // In the middle of a game of many and of few, and for those who watch.
    for (const asked of [...everyMoment(game, language)].slice(-5)) {
      for (const fact of factsOf(questions)) {
        if (fact.own && asked.you === null) continue
        const phrases = list(asked.say(`ask.${fact.name}.words`))
        for (const { value, names } of fact.of?.(asked) ?? [{ value: '', names: '' }]) {
          const right = fact.answer(asked, value)
          const said = right.trim().replace(/[.\s]*$/, '')
          for (const name of fact.plain ? list(names).filter(Boolean).slice(0, 1) : [])
            expect([name, whole(answer(asked, questions, `${name}?`))]).toEqual([name, expectOf(said)])
          for (const phrase of phrases) {
            // An example names what it is about; other words go with any of it.
            const question = fact.of ? `${phrase} ${list(names)[0]}` : phrase
            if (fact.of && phrase === phrases[0]) continue
            if (fact.of && phrase.length === 1) continue
            expect([question, whole(answer(asked, questions, question))]).toEqual([question, expectOf(said)])
          }
        }
      }
    }
  })

  it('answers in short sentences without gaps', () => {
    for (const asked of everyMoment(game, language)) {
      const own = examples(asked, questions)
      const named = factsOf(questions).flatMap(({ of }) => (of?.(asked) ?? []).map(({ names }) => list(names)[0]!))
      for (const question of [...own, ...named, '', 'xyzzy', '???', 'a'.repeat(100)]) {
        for (const said of answer(asked, questions, question)) {
          expect(said.length, said).toBeLessThanOrEqual(MOST)
          expect(said, question).toMatch(/[.…?!]$/)
          expect(said, question).not.toMatch(/[{}]|undefined|null|NaN|\b(ask|label|log|ui|card|wonder)\.\w/)
        }
      }
    }
  })

  it('understands each of its examples', () => {
    for (const asked of everyMoment(game, language)) {
      const unknown = answer(asked, questions, 'xyzzy')
      for (const example of examples(asked, questions))
        expect(answer(asked, questions, example), example).not.toEqual(unknown)
    }
  })

  it('keeps its questions, whatever people are called', () => {
    const asked = [...everyMoment(game, language)].find(({ you }) => you === 0)!
    const called = (name: string): Asked => ({ ...asked, name: (seat) => (seat === 1 ? name : NAMES[seat]!) })
    const plain = factsOf(questions).filter(({ of }) => !of)
    for (const fact of plain) {
      for (const name of list(asked.say(`ask.${fact.name}.words`))) {
        const right = fact.answer(called(name), '').trim()
        expect([name, whole(answer(called(name), questions, name))]).toEqual([
          name,
          expectOf(right.replace(/[.\s]*$/, '')),
        ])
        const all = examples(called(name), questions)
        expect(all).toEqual([...new Set(all)])
      }
    }
    for (const name of [',', '★', '???']) expect(examples(called(name), questions).join()).toMatch(/^[\p{L}\d ,’'-]+$/u)
  })

  it('tells those who watch that nothing is theirs', () => {
    for (const asked of everyMoment(game, language)) {
      if (asked.you !== null) continue
      const own = factsOf(questions).filter((fact) => fact.own && !fact.of)
      expect(own.length).toBeGreaterThan(0)
      for (const { name } of own)
        expect(answer(asked, questions, list(asked.say(`ask.${name}.words`))[0]!)).toEqual([asked.say('ask.watching')])
    }
  })
})

const expectOf = (said: string): string => {
  const sentence = `${said.charAt(0).toLocaleUpperCase()}${said.slice(1)}.`
  return whole(cut(sentence))
}

// --- Every fact of a board ---

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

/**
 * What no question is about, and how else a listener comes to know it. Pieces say of themselves what is printed on them
 * (`about`, which `tests/games/test_about.py` looks at): "what is the Mausoleum", or the key `w`.
 */
type Unasked = [paths: RegExp, told: string][]
const ALWAYS: Unasked = [
  [/^(game|players|finished|winners\.\*|start|neutral|(\w+\.\*\.)?seat)$/, 'it is the table itself, or in its heading'],
  [/^(actors\.\*|turn|phase|moving|looked|paying|military_left|ranking\.\*)$/, 'whose turn it is, and what is asked'],
]
const unasked = import.meta.glob<Unasked>('../games/*/unasked.ts', { import: 'default', eager: true })

function* leaves(value: Json, path: string[] = []): Generator<string[]> {
  if (value === null || typeof value !== 'object') yield path
  else for (const [name, one] of Object.entries(value)) yield* leaves(one, [...path, name])
}

const at = (value: Json, path: string[]): Json =>
  path.reduce<Json>((found, name) => (found as Record<string, Json>)[name]!, value)

/** All that can be asked, and every answer, one after the other. */
function* told(asked: Asked, questions: Questions): Generator<string> {
  for (const fact of factsOf(questions)) {
    if (fact.own && asked.you === null) continue
    for (const { value, names } of fact.of?.(asked) ?? [{ value: '', names: '' }])
      yield `${names}: ${fact.answer(asked, value)}`
  }
}

/** Whether anything is answered otherwise. */
function differ(asked: Asked, questions: Questions, right: string[]): boolean {
  let at = 0
  for (const said of told(asked, questions)) if (said !== right[at++]) return true
  return at !== right.length
}

/** The paths of a view whose values make no difference to any answer. */
function silent(game: string, questions: Questions): string[] {
  const heard = new Map<string, boolean>()
  const plain = (path: string[]): string => path.map((name) => (/^\d+$/.test(name) ? '*' : name)).join('.')
  // The first move, and one in the middle, of those who play; a moment of those who watch.
  for (const asked of [...everyMoment(game, 'en')].slice(2, 6)) {
    const right = [...told(asked, questions)]
    const words = new Map<string, Set<Json>>()
    const paths = [...leaves(asked.view as Json)]
    for (const path of paths)
      words.set(plain(path), (words.get(plain(path)) ?? new Set()).add(at(asked.view as Json, path)))
    for (const path of paths) {
      const key = plain(path)
      if (heard.get(key)) continue
      const now = at(asked.view as Json, path)
      const others: Json[] =
        typeof now === 'number' ? [now + 1, now - 1] : typeof now === 'boolean' ? [!now] : [...words.get(key)!, 'xyzzy']
      const within = at(asked.view as Json, path.slice(0, -1)) as Record<string, Json>
      const differs = others.some((other) => {
        within[path.at(-1)!] = other
        try {
          return differ(asked, questions, right)
        } catch {
          return false // what makes no sense is no answer
        } finally {
          within[path.at(-1)!] = now
        }
      })
      heard.set(key, differs)
    }
  }
  return [...heard].flatMap(([key, differs]) => (differs ? [] : [key]))
}

describe.each(GAMES)('every fact of %s', (game, questions) => {
  const rules = [...ALWAYS, ...unasked[`../games/${game}/unasked.ts`]!]
  const missing = silent(game, questions)

  it('is in the answer to a question, or told elsewhere', () => {
    expect(missing.filter((path) => !rules.some(([paths]) => paths.test(path)))).toEqual([])
  })

  it('is missed where questions are missing', () => {
    const without = { ...questions, facts: questions.facts.slice(0, 1) }
    const more = silent(game, without).filter((path) => !rules.some(([paths]) => paths.test(path)))
    expect(more.length).toBeGreaterThan(5)
  })
})

describe('pieces', () => {
  const [game, questions] = GAMES[0]!
  const asked = { ...[...everyMoment(game, 'en')][0]! }
  const say = Object.assign((key: string) => key, { phrase: ({ key }: Phrase) => key, has: () => true })
  const pieces = ['a blue tower', 'tower'].map((key) => ({
    piece: key,
    name: { key, args: {} },
    what: [{ key: `${key} is high.`, args: {} }],
    worth: [{ key: 'It is yours.', args: {} }],
    rule: '',
  }))
  const speaking: Asked = {
    ...asked,
    say: Object.assign((key: string) => (key === 'ask.about.words' ? 'what is' : key), say),
  }

  it('are asked for by their names, where no fact is', () => {
    expect(asksForPiece(asked, questions, 'what is the mausoleum')).toBe(true)
    expect(asksForPiece(asked, questions, 'xyzzy')).toBe(true)
    expect(asksForPiece(asked, questions, 'whose turn')).toBe(false)
    expect(answer(speaking, questions, 'what is a tower', pieces)).toEqual(['Tower: tower is high. It is yours.'])
    expect(answer(speaking, questions, 'What is a blue tower?', pieces)[0]).toMatch(/^A blue tower: /)
    expect(answer(speaking, questions, 'what is a xyzzy', pieces)[0]).toMatch(/^ask.unknown/)
  })
})

describe('long answers', () => {
  const long = Array.from({ length: 40 }, (_, n) => `card number ${n}`).join(', ')

  it('are told in parts, and nothing is lost', () => {
    const parts = cut(long)
    expect(parts.length).toBeGreaterThan(4)
    for (const part of parts) expect(part.length).toBeLessThanOrEqual(MOST)
    for (const part of parts.slice(0, -1)) expect(part).toMatch(/, …$| …$/)
    expect(whole(parts)).toBe(long)
    expect(whole(cut('x'.repeat(500))).replaceAll(' ', '')).toBe('x'.repeat(500))
  })

  it('of players whose names are words are still found', () => {
    const [game, questions] = GAMES[0]!
    const asked = [...everyMoment(game, 'en')].find(({ you }) => you === 0)!
    const named = { ...asked, name: (seat: number) => (seat === 1 ? 'Sinan, the "Great" (x)' : NAMES[seat]!) }
    const fact = questions.facts.find(({ of }) => of === seats)!
    expect(answer(named, questions, 'sinan the great x')).toEqual(cut(`${fact.answer(named, '1')}.`))
  })
})
