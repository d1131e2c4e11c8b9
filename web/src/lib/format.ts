/**
 * The pattern language of the catalogues, a small part of ICU's:
 * `{arg}`, `{arg.form}` and `{n, plural, one {# card} other {# cards}}`, and for Hungarian `{n, suffix, szor}` and
 * `{n, article}` (`hungarian.ts`). What a page gets has been read by the package
 * before (`core/text.py`, which is the grammar), so nothing is checked here.
 *
 * An argument that is a word is looked up as `<arg>.<word>` (with a form: `<arg>.<word>.<form>`), so that a sentence can
 * ask for "the arcades" in the case that its grammar needs; then as `word.<word>`, what it is called wherever it stands.
 * Words after the first one are kept, "arcades 8", or stand where its name has a `#`: "# ships".
 * An argument that is a phrase itself is said in its place.
 */
import { LOCALES } from 'virtual:languages'
import type { Arg, Args, Phrase } from './wire'

export interface Words {
  language: string
  /** The pattern of a key, or undefined. */
  lookup(key: string): string | undefined
  /** The name of the player on a seat. */
  seatName(seat: number): string
  /** What is said where a game has no text; without it the key is shown. */
  spell?: ((phrase: Phrase) => string) | undefined
  /** A text with a suffix, or the article before it, in a language that has them. */
  grammar?: ((text: string, suffix?: string) => string) | undefined
}

const made: Record<string, unknown> = {}
/** What knows how a language writes something. It takes long to make, so that each is made once, and when it is needed. */
const of = <Format>(Kind: new (language: string, how?: object) => Format, language: string, how?: object): Format =>
  (made[Kind.name + language] ??= new Kind(language, how)) as Format

const SEAT_ARGUMENTS = new Set(['seat', 'seats', 'winners'])
const PLURAL = /^\s*(\w+)\s*,\s*plural\s*,/

/** A sentence by its key. */
export function sentence(phrase: Phrase, words: Words): string {
  const pattern = words.lookup(phrase.key)
  return pattern === undefined ? (words.spell?.(phrase) ?? phrase.key) : format(pattern, phrase.args, words)
}

export function format(pattern: string, args: Args, words: Words, count?: number): string {
  let out = ''
  for (let at = 0; at < pattern.length;) {
    const char = pattern[at]!
    if (char === '{') {
      const end = closing(pattern, at)
      out += placeholder(pattern.slice(at + 1, end), args, words)
      at = end + 1
    } else {
      out += char === '#' && count !== undefined ? String(count) : char
      at += 1
    }
  }
  return out
}

/** Where the brace that opens at `start` is closed. An unclosed one runs to the end. */
function closing(pattern: string, start: number): number {
  let depth = 0
  for (let at = start; at < pattern.length; at++) {
    if (pattern[at] === '{') depth += 1
    else if (pattern[at] === '}' && --depth === 0) return at
  }
  return pattern.length
}

function placeholder(inner: string, args: Args, words: Words): string {
  const plural = PLURAL.exec(inner)
  if (plural) return pluralForm(plural[1]!, inner.slice(plural[0].length), args, words)
  const [path = '', how, suffix] = inner.split(', ')
  const [name = '', form] = path.split('.', 2)
  const value = args[name]
  if (value === undefined) return `{${inner}}`
  const said = say(name, form, value, words)
  return how ? (words.grammar?.(said, suffix) ?? said) : said
}

function pluralForm(name: string, body: string, args: Args, words: Words): string {
  const value = args[name]
  const n = Array.isArray(value) ? value.length : Number(value ?? 0)
  const forms = new Map<string, string>()
  for (let at = 0; at < body.length;) {
    const open = body.indexOf('{', at)
    if (open < 0) break
    const end = closing(body, open)
    forms.set(body.slice(at, open).trim(), body.slice(open + 1, end))
    at = end + 1
  }
  const chosen =
    forms.get(`=${n}`) ?? forms.get(of(Intl.PluralRules, words.language).select(n)) ?? forms.get('other') ?? ''
  return format(chosen, args, words, n)
}

/** What a word of an argument is called, there or wherever it stands. */
const named = ({ lookup }: Words, name: string, word: string): string | undefined =>
  lookup(`${name}.${word}`) ?? lookup(`word.${word}`)

/** Equal pieces are counted: `2 compasses` where there is a word for several, else `2 × blue 5`. */
function counted(name: string, tokens: Arg[], said: string[], words: Words): string[] {
  return [...new Set(said)].map((word) => {
    const count = said.filter((one) => one === word).length
    const many = named(words, name, `${tokens[said.indexOf(word)]}.many`)
    return count < 2 ? word : many ? `${count} ${many}` : `${count} × ${word}`
  })
}

function say(name: string, form: string | undefined, value: Arg, words: Words): string {
  if (value === null) return ''
  if (Array.isArray(value)) {
    const said = value.map((one) => say(name, form, one, words))
    // British lists have no comma before "and".
    return of(Intl.ListFormat, LOCALES[words.language] ?? words.language).format(
      // Pieces are counted; numbers and seats are told one by one.
      value.some((one) => typeof one !== 'string') ? said : counted(name, value, said, words),
    )
  }
  if (typeof value === 'number') {
    if (SEAT_ARGUMENTS.has(name)) return words.seatName(value)
    if (Number.isInteger(value)) return String(value)
    return of(Intl.NumberFormat, words.language, { useGrouping: false }).format(value)
  }
  if (typeof value === 'object') return sentence(value, words)
  if (typeof value === 'boolean') return words.lookup(`${name}.${value}`) ?? String(value)
  const space = value.indexOf(' ')
  const [word, rest] = space < 0 ? [value, ''] : [value.slice(0, space), value.slice(space)]
  const said = (form && named(words, name, `${word}.${form}`)) ?? named(words, name, word)
  if (said === undefined) return value
  return said.includes('#') ? said.replace('#', rest.trim()) : said + rest
}
