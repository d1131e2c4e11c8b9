/**
 * Find a place in a text of a few pages: by words in any language that is understood, whatever their endings and accents, and by
 * everyday words for the same things.
 */

/** A paragraph, an item or a row: what it says, in the reader's language and in the other ones, and where it stands. */
export interface Block {
  text: string
  others: string[]
  section: string
}

/** A block that was found, and the sentence in it. */
export interface Found {
  at: number
  sentence: Mark[]
  score: number
}

/** A piece of a sentence; what was looked for is marked. */
export interface Mark {
  text: string
  marked: boolean
}

const WORD = /[\p{L}\p{N}]+/gu
/** How many are shown: a longer query finds fewer. */
const MOST = 12

// Endings, longest first, without accents: of Hungarian nouns and verbs, and the few of English and German.
const ENDINGS =
  /(?:okkal|ekkel|akkal|oknak|eknek|aknak|okban|ekben|akban|okat|eket|akat|okra|ekre|akra|okbol|ekbol|jaban|jeben|janak|jenek|kent|nak|nek|val|vel|bol|rol|tol|hoz|hez|ban|ben|ert|jai|jei|unk|tok|tek|hat|het|ing|nal|nel|ba|be|ra|re|on|en|ig|ni|ok|ek|ak|at|et|ot|ja|je|ai|ei|as|es|os|ed|t|k|i|s|a|e|n)$/

export function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss')
}

/** What is left of a word without its endings. */
export function stem(word: string): string {
  let left = plain(word).replace(/([^aeiou])\1[ae]l$/, '$1')
  for (let times = 0; times < 2; times++) {
    const shorter = left.replace(ENDINGS, '')
    if (shorter.length < 3) break
    left = shorter
  }
  return left
}

/** A stem, and the same without the vowel that comes and goes: torony, tornyok. */
function forms(word: string): string[] {
  const whole = stem(word)
  const without = whole.replace(/^(.{2,}[^aeiou])[aeiou]([^aeiou]{1,2})$/, '$1$2')
  return whole === without ? [whole] : [whole, without]
}

/** Whether two words are the same but for their endings; a word that is still being typed is what it begins. */
function alike(one: string[], other: string[]): boolean {
  return one.some((a) =>
    other.some((b) => a === b || (a.length > 2 && b.startsWith(a)) || (b.length > 3 && a.startsWith(b))),
  )
}

/** The words of an entry that say something by themselves: not those of "to the coin". */
const large = (words: string[]): string[] => (words.length > 1 ? words.filter((word) => word.length > 3) : words)

export const wordsOf = (text: string): string[] => text.match(WORD) ?? []

/** Other words for a word: the groups in which it stands, and those of what it says together with its neighbours. */
function meanings(words: string[], synonyms: string[][]): string[][][] {
  const stems = words.map(forms)
  const groups = synonyms.filter((group) =>
    group.some((entry) => {
      const parts = wordsOf(entry).map(forms)
      return parts.length > 0 && parts.every((part) => stems.some((own) => alike(own, part)))
    }),
  )
  return stems.map((own, at) => [
    [words[at]!],
    ...groups
      .filter((group) => group.some((entry) => large(wordsOf(entry)).some((part) => alike(own, forms(part)))))
      .flat()
      .map(wordsOf),
  ])
}

/** How well a text says something: with the very word, in another form of it, or in other words. */
function says(text: string[][], exact: Set<string>, meaning: string[][]): number {
  return Math.max(
    0,
    ...meaning.map((parts, at) => {
      const there = parts.length > 0 && parts.every((part) => text.some((word) => alike(forms(part), word)))
      if (!there) return 0
      return at > 0 ? 1 : exact.has(plain(parts[0]!)) ? 4 : 3
    }),
  )
}

export function search(blocks: Block[], query: string, synonyms: string[][]): Found[] {
  const words = wordsOf(query)
  if (!words.length) return []
  const meant = meanings(words, synonyms)
  const texts = new Map<string, { stems: string[][]; exact: Set<string> }>()
  const read = (text: string): { stems: string[][]; exact: Set<string> } => {
    const known = texts.get(text)
    if (known) return known
    const found = { stems: wordsOf(text).map(forms), exact: new Set(wordsOf(plain(text))) }
    texts.set(text, found)
    return found
  }
  const score = (text: string, meaning: string[][]): number => says(read(text).stems, read(text).exact, meaning)
  const found = blocks.map(({ text, others, section }, at) => {
    const first = section !== blocks[at - 1]?.section
    const points = meant.map((meaning) => {
      const here = Math.max(score(text, meaning), ...others.map((other) => score(other, meaning) * 0.8))
      const above = score(section, meaning)
      // What a section is called says what all of it is about; it begins with its first block.
      return here + (first ? above : above / (here ? 2 : 8))
    })
    const missing = points.filter((one) => one === 0).length
    return { at, missing, score: points.reduce((sum, one) => sum + one, 0) }
  })
  const whole = found.filter(({ missing }) => missing === 0)
  return (whole.length ? whole : found.filter(({ score }) => score > 2))
    .sort((one, other) => other.score - one.score || one.at - other.at)
    .slice(0, MOST)
    .map(({ at, score }) => ({ at, score, sentence: marked(sentenceOf(blocks[at]!, total), meant) }))

  function total(text: string): number {
    return meant.reduce((sum, meaning) => sum + score(text, meaning), 0)
  }
}

const sentences = (text: string): string[] => text.split(/(?<=[.!?…])\s+(?=\S)/)

/** The sentence of a block that says most of it; where only the other language does, the one in its place. */
function sentenceOf({ text, others }: Block, score: (text: string) => number): string {
  const own = sentences(text)
  const best = (list: string[]): number => {
    const points = list.map(score)
    const most = Math.max(...points)
    return most > 0 ? points.indexOf(most) : -1
  }
  const at = best(own)
  if (at >= 0) return own[at]!
  const there = others.map((other) => best(sentences(other))).find((one) => one >= 0) ?? 0
  return own[Math.min(there, own.length - 1)]!
}

function marked(sentence: string, meant: string[][][]): Mark[] {
  const looked = meant.flatMap(([own = [], ...others]) => [...own, ...others.flatMap(large)].map(forms))
  const marks: Mark[] = []
  let last = 0
  for (const match of sentence.matchAll(WORD)) {
    const word = forms(match[0])
    if (!looked.some((one) => alike(one, word))) continue
    marks.push({ text: sentence.slice(last, match.index), marked: false }, { text: match[0], marked: true })
    last = match.index + match[0].length
  }
  return [...marks, { text: sentence.slice(last), marked: false }].filter(({ text }) => text)
}
