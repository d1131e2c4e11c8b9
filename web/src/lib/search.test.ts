import { describe, expect, it } from 'vitest'
import { search, stem, type Block } from './search'

const block = (text: string, other: string, section: string): Block => ({ text, others: [other], section })
const rules = [
  block(
    'No change is given. Whoever pays exactly plays again.',
    'Nincs visszajáró. Aki pontosan fizet, újra jön.',
    'Paying',
  ),
  block('The most towers earn 21 points.', 'A legtöbb torony 21 pontot ér.', 'Points'),
  block('Tied players share the places.', 'Holtversenyben a tornyok helyein osztoznak.', 'Ties'),
  block('The game ends when the yard cannot be filled.', 'A játék véget ér, ha az udvar nem tölthető fel.', 'End'),
]
const synonyms = [
  ['money', 'coin', 'pénz', 'érme'],
  ['tie', 'draw', 'holtverseny', 'döntetlen'],
  ['game over', 'ends'],
  ['exactly', 'to the coin'],
]
const hits = (query: string, all = rules): number[] => search(all, query, synonyms).map(({ at }) => at)
const hungarian = rules.map(({ text, others: [other], section }) => block(other!, text, section))

describe('what somebody looks for is found', () => {
  it.each([
    ['towers', [1]],
    ['tower', [1]],
    ['TOWER', [1]],
    ['exact', [0]],
    ['paying', [0]],
    ['tow', [1]],
  ])('by a word in another form: %s', (query, wanted) => expect(hits(query)).toEqual(wanted))

  it.each([
    ['torony', [1, 2]],
    ['tornyot', [1, 2]],
    ['tornyokkal', [1, 2]],
    ['udvarban', [3]],
    ['visszajaro', [0]],
    ['visszajárót', [0]],
  ])('in Hungarian with any ending, with accents or without: %s', (query, wanted) => {
    expect(hits(query, hungarian).sort()).toEqual(wanted)
    expect(hits(query).sort()).toEqual(wanted) // and by whoever reads the other language
  })

  it.each([
    ['Türme', [0]],
    ['turm', [0]],
    ['TÜRMEN', [0]],
    ['strasse', [1]],
    ['Straßen', [1]],
    ['bezahlen', [1]],
  ])('in German with any ending, with umlauts and ß or without: %s', (query, wanted) => {
    const german = [
      block('Die meisten Türme bringen 21 Punkte.', '', 'Punkte'),
      block('Wer an der Straße genau bezahlt, ist noch einmal dran.', '', 'Bezahlen'),
    ]
    expect(hits(query, german)).toEqual(wanted)
  })

  it('by everyday words', () => {
    expect(hits('draw')).toEqual([2])
    expect(hits('döntetlen', hungarian)).toEqual([2])
    expect(hits('game over')).toEqual([3])
  })

  it('with all of its words, if anything has them', () => {
    expect(hits('tower points')).toEqual([1])
    expect(hits('tower dragon points')).toEqual([1])
    expect(hits('dragon')).toEqual([])
    expect(hits('  ')).toEqual([])
  })

  it('with the sentence in which it stands, marked', () => {
    const [found] = search(rules, 'again', synonyms)
    expect(found!.sentence.map(({ text }) => text).join('')).toBe('Whoever pays exactly plays again.')
    expect(found!.sentence.filter(({ marked }) => marked).map(({ text }) => text)).toEqual(['again'])
    // Of other words for the same only those that say something: not the "the" of "to the coin".
    const marks = search(rules, 'exactly ends', synonyms).flatMap(({ sentence }) => sentence)
    expect(marks.filter(({ marked }) => marked).map(({ text }) => text)).not.toContain('the')
    // Where only the other language has the word, the sentence in the same place.
    expect(search(rules, 'pontosan', synonyms)[0]!.sentence).toEqual([
      { text: 'Whoever pays exactly plays again.', marked: false },
    ])
  })
})

it.each([
  ['lapokkal', 'lap'],
  ['lapok', 'lap'],
  ['kártyákat', 'karty'],
  ['kártya', 'karty'],
  ['cards', 'card'],
  ['ház', 'haz'],
  ['házzal', 'haz'],
])('%s is a form of %s', (word, wanted) => expect(stem(word)).toBe(wanted))
