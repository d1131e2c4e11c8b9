/** Counting Ginkgopolis with the box: what is behind the screens, cards that count at the end, districts. */
import { counts, holder, owners, phrase } from '../../lib/pad'
import type { Entries, Form, Pad, Row, Section, Setting, Sheet, Step } from '../../lib/pad'

const COLOURS = ['red', 'yellow', 'blue'] as const
const TRIGGERS = ['exploit', 'urbanize', 'construct'] as const
type Colour = (typeof COLOURS)[number]
/** The cards that count at the end: 10 to 13 by colour, low and high buildings, three by trigger, one by colour, 9 points. */
const END_CARDS = [10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]
const NUMBERS = 20
const HAL = 1
/** A district has two buildings at least, of 60. */
const DISTRICTS = 30
const CHARACTERS = 3

interface ByHeight {
  height: number
  points: number
}

export interface Printed {
  setup: { resources: number[]; tiles_removed: number[]; cards_discarded: number[]; new_hands: number }
  points: { unused_new_hand: number; returned_tile: number }
  solo: { start: { resource: number; tile: number; point: number }; hand: number }
  cards: {
    triggers: string[]
    end: Record<`colours_${Colour}`, Colour[]> & {
      resource: number
      low: ByHeight
      high: ByHeight
      trigger: number
      colour: number
      fixed: number
    }
  }
}

type Set = Setting<Printed>

const sumOf = (numbers: number[]): number => numbers.reduce((one, other) => one + other, 0)
const ownersOf = ({ players }: Set): number => Math.max(players, 2)
const resourcesOf = ({ players, printed }: Set): number => printed.setup.resources[players - 1]!
const cellsOf = (row: string, all: number[]): string[] => all.map((owner) => `${row}.${owner}`)

/** What a card asks its owner to count: the row where it is entered; nothing for a card with fixed points. */
function asks({ cards }: Printed, colour: Colour, number: number): string {
  if (number <= 13) return `on.${cards.end[`colours_${colour}`][number - 10]}`
  if (number === 14) return 'low'
  if (number === 15) return 'high'
  if (number <= 18) return `with.${TRIGGERS[number - 16]}`
  return number === 19 ? `of.${colour}` : ''
}

/** What a card gives for each of what it asks for, or for itself. */
function worth({ cards: { end } }: Printed, number: number): number {
  if (number <= 13) return end.resource
  if (number === 14) return end.low.points
  if (number === 15) return end.high.points
  if (number <= 18) return end.trigger
  return number === 19 ? end.colour : end.fixed
}

interface Kept {
  colour: Colour
  number: number
  owner: number
}

function kept(entries: Entries): Kept[] {
  return COLOURS.flatMap((colour) =>
    END_CARDS.flatMap((number) => {
      const owner = (entries[`kept.${colour}.${number}`] ?? 0) - 1
      return owner >= 0 ? [{ colour, number, owner }] : []
    }),
  )
}

/** The districts that were added: their number here and their colour. */
function districts(entries: Entries): { at: number; colour: Colour }[] {
  return owners(DISTRICTS).flatMap((at) => {
    const colour = COLOURS[(entries[`area.${at}.colour`] ?? 0) - 1]
    return colour ? [{ at, colour }] : []
  })
}

/** Those whose place in a district the tallest buildings decide: as many resources, and one of the first two places. */
function tiedIn(entries: Entries, at: number, all: number[]): number[] {
  const here = all.map((owner) => entries[`area.${at}.resources.${owner}`] ?? 0)
  const [first = 0, second = 0] = [...new Set(here.filter((number) => number > 0))].sort((one, other) => other - one)
  const having = (number: number): number[] => (number > 0 ? all.filter((owner) => here[owner] === number) : [])
  if (having(first).length > 1) return having(first)
  return having(second).length > 1 ? having(second) : []
}

/** Of those, who have equally tall buildings too. */
function tiedByHeight(entries: Entries, at: number, tied: number[]): number[] {
  const height = (owner: number): number => entries[`area.${at}.height.${owner}`] ?? 0
  return tied.filter(
    (owner) => height(owner) > 0 && tied.some((other) => other !== owner && height(other) === height(owner)),
  )
}

function form(setting: Set, entries: Entries): Form {
  const { players, printed } = setting
  const all = owners(ownersOf(setting))
  const cards = kept(entries)
  const { end } = printed.cards
  const resources = resourcesOf(setting)
  const needs = (row: string): number[] =>
    all.filter((owner) => cards.some((card) => card.owner === owner && asks(printed, card.colour, card.number) === row))
  const rows: Row[] = []
  const ask = (id: string, key: string, most: number | ((owner: number) => number), piece: string, args = {}): void => {
    const who = needs(id)
    if (who.length > 0) rows.push(counts(id, phrase(key, args), who, most, { piece }))
  }
  const characters = players === 1 ? 0 : CHARACTERS
  for (const colour of COLOURS)
    ask(`on.${colour}`, 'box.on', resources, `building ${colour}`, { colour: phrase(`box.colour.${colour}`) })
  ask('low', 'box.low', resources, 'height', { height: end.low.height })
  ask('high', 'box.high', resources, 'height', { height: end.high.height })
  for (const trigger of TRIGGERS) {
    const copies = COLOURS.length * printed.cards.triggers.filter((one) => one === trigger).length
    ask(`with.${trigger}`, 'box.with', copies + characters, trigger, { trigger: phrase(`trigger.${trigger}.title`) })
  }
  for (const colour of COLOURS)
    ask(`of.${colour}`, 'box.of', NUMBERS + characters, `cards ${colour}`, { colour: phrase(`box.colour.${colour}`) })
  const screen: Row[] = [counts('points', phrase('box.points'), all, 999, { piece: 'point' })]
  if (players > 1) {
    const each = { points: printed.points.unused_new_hand }
    screen.push(counts('hands', phrase('box.hands', each), all, printed.setup.new_hands, { piece: 'new_hand' }))
  }
  return {
    owners: all.length,
    ...(players === 1 ? { neutral: phrase('label.neutral') } : {}),
    parts: ['stock', 'cards', 'districts'].map((id) => ({ id, label: phrase(`tally.${id}`) })),
    sections: [
      { id: 'screen', part: 'stock', title: phrase('tally.stock'), help: phrase('box.screen.help'), rows: screen },
      {
        id: 'cards',
        part: 'cards',
        title: phrase('tally.cards'),
        help: phrase('box.cards.help'),
        rows: [
          {
            id: 'kept',
            label: phrase('box.kept'),
            across: END_CARDS.length,
            cells: COLOURS.flatMap((colour) =>
              END_CARDS.map((number) =>
                holder(
                  `kept.${colour}.${number}`,
                  { owners: all.length },
                  {
                    label: phrase('box.card', { colour: phrase(`box.colour.${colour}`), number }),
                    piece: `card ${colour} ${number}`,
                  },
                ),
              ),
            ),
          },
          ...rows,
        ],
      },
      ...districtSections(setting, entries, all),
    ],
  }
}

function districtSections(setting: Set, entries: Entries, all: number[]): Section[] {
  const found = districts(entries)
  const resources = resourcesOf(setting)
  const free = owners(DISTRICTS).find((at) => !found.some((one) => one.at === at))
  const sections = found.map(({ at, colour }): Section => {
    const id = `area.${at}`
    const tied = tiedIn(entries, at, all)
    const equal = tiedByHeight(entries, at, tied)
    const here = (owner: number): number => entries[`${id}.resources.${owner}`] ?? 0
    const rows = [
      counts(`${id}.resources`, phrase('box.resources'), all, resources, { piece: 'resource' }),
      ...(tied.length > 0 ? [counts(`${id}.height`, phrase('box.height'), tied, here, { piece: 'height' })] : []),
      ...(equal.length > 0
        ? [counts(`${id}.number`, phrase('box.number'), equal, NUMBERS, { piece: `building ${colour}` })]
        : []),
    ]
    for (const row of rows.slice(1)) for (const cell of row.cells) cell.least = 1
    return {
      id,
      part: 'districts',
      title: phrase(`box.district.${colour}`),
      piece: `building ${colour}`,
      rows,
      added: true,
    }
  })
  const head: Section = {
    id: 'districts',
    part: 'districts',
    title: phrase('tally.districts'),
    help: phrase('box.districts.help'),
    rows: [
      {
        id: 'districts',
        label: phrase('box.districts'),
        // Entered by adding a district, so nobody sees them.
        cells: found.map(({ at }) => ({
          id: `area.${at}.colour`,
          kind: 'choice' as const,
          owner: null,
          least: 0,
          most: COLOURS.length,
        })),
      },
    ],
    adds:
      free === undefined
        ? []
        : COLOURS.map((colour, at) => ({
            label: phrase(`box.add.${colour}`),
            piece: `building ${colour}`,
            entry: `area.${free}.colour`,
            value: at + 1,
          })),
  }
  return [head, ...sections]
}

function count(setting: Set, entries: Entries, sheet: Sheet): void {
  const { players, printed } = setting
  const all = owners(ownersOf(setting))
  for (const owner of all) {
    sheet.give('stock', 'points', owner, sheet.of(`points.${owner}`))
    const hands = sheet.of(`hands.${owner}`)
    if (hands > 0) sheet.give('stock', 'hands', owner, hands * printed.points.unused_new_hand)
  }
  countCards(setting, sheet, kept(entries), all)
  const inDistricts = countDistricts(entries, sheet, all)
  checkResources(setting, sheet, all, inDistricts)
  if (players === 1)
    // D41: with as many points as Hal one has not won.
    sheet.verdict = (_, tied) => (tied.length > 1 ? phrase('box.tie.hal') : null)
  if (players === 1 && sheet.tied.length > 1) sheet.tieBreak[HAL] = 1
}

/** Section 1.1: the numbers 10 to 20. */
function countCards(setting: Set, sheet: Sheet, cards: Kept[], all: number[]): void {
  const { printed } = setting
  for (const { colour, number, owner } of cards) {
    const row = asks(printed, colour, number)
    const each = worth(printed, number)
    const found = row === '' ? 1 : sheet.of(`${row}.${owner}`)
    const card = phrase('box.card', { colour: phrase(`box.colour.${colour}`), number })
    sheet.give('cards', 'kept', owner, found * each)
    if (row === '') sheet.say('kept', 'box.why.fixed', { seat: owner, card, points: each })
    else sheet.say('kept', 'box.why.card', { seat: owner, card, count: found, each, points: found * each })
  }
  for (const owner of all)
    for (const colour of COLOURS) {
      const id = `of.${colour}.${owner}`
      const own = cards.filter((card) => card.owner === owner && card.colour === colour).length
      if (sheet.has(id) && sheet.of(id) < own)
        sheet.fault([id], 'box.fault.of_colour', {
          seat: owner,
          colour: phrase(`box.colour.${colour}`),
          count: sheet.of(id),
          least: own,
        })
    }
}

/** Section 6.4: all resources for the first, the own ones for the second; both for an only owner. Resources by colour. */
function countDistricts(entries: Entries, sheet: Sheet, all: number[]): Record<Colour, number[]> {
  const inDistricts = { red: all.map(() => 0), yellow: all.map(() => 0), blue: all.map(() => 0) }
  for (const { at, colour } of districts(entries)) {
    const id = `area.${at}`
    const row = `${id}.resources`
    const here = all.map((owner) => sheet.of(`${row}.${owner}`))
    const total = sumOf(here)
    all.forEach((owner) => (inDistricts[colour][owner]! += here[owner]!))
    if (total === 0) {
      if (!sheet.amiss(cellsOf(row, all))) sheet.fault(cellsOf(row, all), 'box.fault.nobody')
      continue
    }
    const tied = tiedIn(entries, at, all)
    const equal = tiedByHeight(entries, at, tied)
    for (const owner of tied)
      if (!sheet.has(`${id}.height.${owner}`) && !sheet.amiss([`${id}.height.${owner}`]))
        sheet.fault([`${id}.height.${owner}`], 'box.fault.height', { seat: owner })
    for (const owner of equal)
      if (!sheet.has(`${id}.number.${owner}`))
        sheet.fault([`${id}.number.${owner}`], 'box.fault.number', { seat: owner })
      else if (
        equal.some(
          (other) =>
            other < owner &&
            sheet.of(`${id}.height.${other}`) === sheet.of(`${id}.height.${owner}`) &&
            sheet.of(`${id}.number.${other}`) === sheet.of(`${id}.number.${owner}`),
        )
      )
        sheet.fault([`${id}.number.${owner}`], 'box.fault.same_number')
    const rank = (owner: number): number =>
      (here[owner]! * 64 + sheet.of(`${id}.height.${owner}`)) * 32 + sheet.of(`${id}.number.${owner}`)
    const present = all.filter((owner) => here[owner]! > 0).sort((one, other) => rank(other) - rank(one))
    const [first, second] = present as [number, ...number[]]
    if (second === undefined) {
      sheet.give('districts', row, first, 2 * total)
      sheet.say(row, 'box.why.alone', { seat: first, count: total, points: 2 * total })
      continue
    }
    sheet.give('districts', row, first, total)
    sheet.give('districts', row, second, here[second]!)
    sheet.say(row, 'box.why.first', { seat: first, count: here[first]!, points: total })
    sheet.say(row, 'box.why.second', { seat: second, points: here[second]! })
    if (present.length > 2) sheet.say(row, 'box.why.rest', { seats: present.slice(2) })
    if (tied.length > 0) sheet.say(row, equal.length > 0 ? 'box.why.by_number' : 'box.why.by_height', { seats: tied })
  }
  return inDistricts
}

/** Nobody has more resources in the city than in the box, nor fewer on a colour than in its districts. */
function checkResources(setting: Set, sheet: Sheet, all: number[], inDistricts: Record<Colour, number[]>): void {
  const most = resourcesOf(setting)
  const { low, high } = setting.printed.cards.end
  for (const owner of all) {
    const least = COLOURS.map((colour) => {
      const id = `on.${colour}.${owner}`
      const known = inDistricts[colour][owner]!
      if (sheet.has(id) && sheet.of(id) < known)
        sheet.fault([id], 'box.fault.on_colour', {
          seat: owner,
          colour: phrase(`box.colour.${colour}`),
          count: sheet.of(id),
          least: known,
        })
      return Math.max(known, sheet.of(id))
    })
    const found = sumOf(least)
    if (found > most) {
      const where = districts(sheet.entries).map(({ at }) => `area.${at}.resources.${owner}`)
      const cells = [...where, ...COLOURS.map((colour) => `on.${colour}.${owner}`)].filter((id) => sheet.of(id) > 0)
      sheet.fault(cells, 'box.fault.resources', { seat: owner, count: found, most })
    }
    const storeys = sheet.of(`low.${owner}`) + (high.height > low.height ? sheet.of(`high.${owner}`) * high.height : 0)
    if (storeys > most) sheet.fault([`low.${owner}`, `high.${owner}`], 'box.fault.buildings', { seat: owner, most })
  }
}

function setUp(setting: Set): Step[] {
  const { players, options, printed } = setting
  const { setup, solo } = printed
  const step = (id: string, args = {}): Step => ({ id, words: phrase(`box.setup.${id}`, args) })
  const at = players - 1
  const removed = setup.tiles_removed[at]!
  const discarded = setup.cards_discarded[at]!
  const { resource, tile, point } = solo.start
  return [
    step('square'),
    step('markers'),
    removed > 0 ? step('tiles_out', { tiles: removed }) : step('tiles'),
    discarded > 0 ? step('deck_out', { cards: discarded }) : step('deck'),
    step('reserve'),
    step('resources', { resources: setup.resources[at]! }),
    ...(players === 1
      ? [step('solo', { resource, tile, point }), step('solo_hal'), step('solo_hand', { cards: solo.hand })]
      : [
          step('screens', { tokens: setup.new_hands }),
          step(`characters_${options.characters ?? 'sets'}`),
          step('goods'),
          step('hand'),
        ]),
  ]
}

export default {
  players: [1, 5],
  options: (players): Record<string, string[]> => (players === 1 ? {} : { characters: ['sets', 'draft'] }),
  form,
  count,
  setUp,
  begins: ({ players }) => phrase(players === 1 ? 'box.begins.solo' : 'box.begins'),
} satisfies Pad<Printed>
