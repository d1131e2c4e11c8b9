/** Counting Tower of Babel with the box: houses on wonders, offers that were not accepted, discs, action cards. */
import { counts, holder, owners, phrase } from '../../lib/pad'
import type { Entries, Form, Pad, Row, Section, Setting, Sheet, Step } from '../../lib/pad'

const TYPES = ['camel', 'crane', 'ship', 'mason'] as const
const WONDERS = ['artemis', 'pyramids', 'gardens', 'mausoleum', 'lighthouse', 'colossus', 'zeus', 'tower'] as const
/** Discs on a wonder. */
const SPACES = 3
type Type = (typeof TYPES)[number]

export interface Printed {
  cards: { copies: number; start_hand: number }
  discs: Record<Type, number[]>
  two_colour: { replaced: number; discs: Record<Type, number>[] }
  wonders: { first: number[]; second: number[]; other: number; light_first: number; light_second: number }
  bonus: { points: number[] }
  offers: { refused: number; refused_triple: number }
  units: { small: number; large: number }
  actions: { disc_points: number; end_points: number; copies: Record<string, number> }
}

type Set = Setting<Printed>

const twoColours = ({ options }: Set): boolean => options.two_colour_discs === 'yes'
const withActions = ({ options }: Set): boolean => options.action_cards !== 'no'
/** Did they move the markers on the board, or is everything entered here? */
const onBoard = ({ options }: Set): boolean => options.points === 'board'

/** The numbers of the one-colour discs of a type that are in the game. */
function discsOf(setting: Set, type: Type): number[] {
  const { discs, two_colour } = setting.printed
  const all = [...discs[type]]
  if (twoColours(setting)) all.splice(all.indexOf(two_colour.replaced), 1)
  return all
}

const pairsOf = (setting: Set): Record<Type, number>[] => (twoColours(setting) ? setting.printed.two_colour.discs : [])
const typesOf = (disc: Record<Type, number>): Type[] => TYPES.filter((type) => disc[type] > 0)
const sumOf = (numbers: number[]): number => numbers.reduce((one, other) => one + other, 0)

/** How many houses the discs of all kinds ask for, the most first. */
function askedFor(setting: Set): number[] {
  const pairs = pairsOf(setting).map((disc) => sumOf(TYPES.map((type) => disc[type])))
  return [...TYPES.flatMap((type) => discsOf(setting, type)), ...pairs].sort((one, other) => other - one)
}

const cellsOf = (row: string, all: number[]): string[] => all.map((owner) => `${row}.${owner}`)
const typedIn = (entries: Entries, row: string, all: number[]): boolean =>
  cellsOf(row, all).some((id) => (entries[id] ?? 0) > 0)

function form(setting: Set, entries: Entries): Form {
  const { players, printed } = setting
  const { wonders, offers, actions, bonus } = printed
  const all = owners(players)
  const most = sumOf(askedFor(setting).slice(0, SPACES))
  const sections: Section[] = []
  const rows = wonders.first.length
  // One more than are filled: at most eight wonders there are.
  let shown = 1
  for (let number = 1; number <= rows; number++) if (typedIn(entries, `done.${number}`, all)) shown = number + 1
  if (onBoard(setting)) {
    const track = counts('track', phrase('box.track'), all, 999, { piece: 'wonder', help: phrase('box.track.help') })
    sections.push({ id: 'track', part: 'track', title: phrase('box.track.title'), rows: [track] })
  } else {
    const done = owners(Math.min(shown, rows)).map((at): Row =>
      counts(
        `done.${at + 1}`,
        phrase('box.done', { n: at + 1, first: wonders.first[at]!, second: wonders.second[at]!, other: wonders.other }),
        all,
        most,
        { piece: 'wonder' },
      ),
    )
    sections.push({
      id: 'done',
      part: 'wonders',
      title: phrase('tally.wonders'),
      help: phrase('box.done.help'),
      rows: done,
    })
    const refused = counts('refused', phrase('box.refused', { points: offers.refused }), all, 999, { piece: 'offer' })
    const tripled = counts('tripled', phrase('box.tripled', { points: offers.refused_triple }), all, 99, {
      piece: 'offer',
    })
    sections.push({
      id: 'refused',
      part: 'refused',
      title: phrase('tally.refused'),
      help: phrase('box.refused.help'),
      rows: withActions(setting) ? [refused, tripled] : [refused],
    })
  }
  sections.push({
    id: 'light',
    part: 'light',
    title: phrase('tally.light'),
    help: phrase('box.light.help', { first: wonders.light_first, second: wonders.light_second, other: wonders.other }),
    rows: WONDERS.map((wonder) =>
      counts(`light.${wonder}`, phrase('box.wonder', { wonder: phrase(`wonder.${wonder}.title`) }), all, most, {
        piece: wonder,
      }),
    ),
  })
  const pairs = pairsOf(setting)
  sections.push({
    id: 'discs',
    part: 'discs',
    title: phrase('tally.discs'),
    help: phrase('box.discs.help', { bonus: bonus.points.join(' · ') }),
    rows: [
      ...TYPES.map((type) =>
        counts(
          `disc.${type}`,
          phrase('box.discs', { type: phrase(`box.type.${type}`) }),
          all,
          discsOf(setting, type).length,
          { piece: type },
        ),
      ),
      ...(pairs.length
        ? [
            {
              id: 'pairs',
              label: phrase('box.pairs'),
              help: phrase('box.pairs.help'),
              cells: pairs.map((disc, at) => {
                const [one, other] = typesOf(disc) as [Type, Type]
                return holder(
                  `pair.${at}`,
                  { owners: players },
                  {
                    label: phrase('box.pair', { one: phrase(`box.type.${one}`), other: phrase(`box.type.${other}`) }),
                    piece: `${one} ${other}`,
                  },
                )
              }),
            },
          ]
        : []),
    ],
  })
  if (withActions(setting)) {
    const { disc_bonus = 0, end_bonus = 0 } = actions.copies
    sections.push({
      id: 'cards',
      part: 'cards',
      title: phrase('tally.cards'),
      help: phrase('box.cards.help'),
      rows: [
        counts('disc_bonus', phrase('box.disc_bonus', { points: actions.disc_points }), all, disc_bonus, {
          piece: 'disc_bonus',
        }),
        counts('end_bonus', phrase('box.end_bonus', { points: actions.end_points }), all, end_bonus, {
          piece: 'end_bonus',
        }),
      ],
    })
  }
  const label = { track: 'box.track.title' } as Record<string, string>
  return {
    owners: players,
    parts: sections.map(({ part }) => ({ id: part, label: phrase(label[part] ?? `tally.${part}`) })),
    sections,
  }
}

function count(setting: Set, entries: Entries, sheet: Sheet): void {
  const { players, printed } = setting
  const { wonders, offers, actions } = printed
  const all = owners(players)
  const asked = askedFor(setting)
  const least = sumOf(asked.slice(-SPACES))
  const most = sumOf(asked.slice(0, SPACES))
  let done = 0
  if (onBoard(setting)) for (const owner of all) sheet.give('track', 'track', owner, sheet.of(`track.${owner}`))
  else {
    const numbers = owners(wonders.first.length).map((at) => at + 1)
    const filled = numbers.filter((number) => typedIn(entries, `done.${number}`, all))
    done = filled.length
    for (const number of filled) {
      const row = `done.${number}`
      if (number > 1 && !filled.includes(number - 1))
        sheet.fault(cellsOf(`done.${number - 1}`, all), 'box.fault.gap', { n: number - 1 })
      const sum = place(
        sheet,
        'wonders',
        row,
        all,
        wonders.first[number - 1]!,
        wonders.second[number - 1]!,
        wonders.other,
      )
      if (sum > most) sheet.fault(cellsOf(row, all), 'box.fault.houses_many', { count: sum, most })
      // Those who type one cell after the other have not come to the last yet.
      else if (sum < least && cellsOf(row, all).every((id) => sheet.has(id)))
        sheet.fault(cellsOf(row, all), 'box.fault.houses_few', { count: sum, least })
    }
    for (const owner of all) {
      const refused = sheet.of(`refused.${owner}`) * offers.refused
      if (refused > 0) sheet.give('refused', 'refused', owner, refused)
      const tripled = sheet.of(`tripled.${owner}`) * offers.refused_triple
      if (tripled > 0) sheet.give('refused', 'tripled', owner, tripled)
    }
  }
  const begun = WONDERS.filter((wonder) => typedIn(entries, `light.${wonder}`, all))
  const onTwo = sumOf(asked.slice(0, SPACES - 1))
  for (const wonder of begun) {
    const row = `light.${wonder}`
    const sum = place(sheet, 'light', row, all, wonders.light_first, wonders.light_second, wonders.other)
    if (sum > onTwo) sheet.fault(cellsOf(row, all), 'box.fault.light_many', { count: sum, most: onTwo })
  }
  if (done + begun.length > WONDERS.length)
    sheet.fault(
      begun.flatMap((wonder) => cellsOf(`light.${wonder}`, all)),
      'box.fault.wonders',
      { count: done + begun.length, most: WONDERS.length },
    )
  const { small, large } = printed.units
  const units = small - 1 + 3 * large
  for (const owner of all) {
    const used = sumOf(begun.map((wonder) => sheet.of(`light.${wonder}.${owner}`)))
    const cells = begun.map((wonder) => `light.${wonder}.${owner}`)
    if (used > units) sheet.fault(cells, 'box.fault.units', { seat: owner, count: used, most: units }, false)
  }
  countDiscs(setting, sheet, all, done, begun.length)
  for (const owner of all) {
    const discs = discsHeld(setting, sheet, owner)
    const cards = sheet.of(`disc_bonus.${owner}`)
    if (cards > 0) {
      const points = discs * cards * actions.disc_points
      sheet.give('cards', 'disc_bonus', owner, points)
      sheet.say('disc_bonus', 'box.why.disc_bonus', { seat: owner, cards, discs, points })
    }
    const ends = sheet.of(`end_bonus.${owner}`)
    if (ends > 0) sheet.give('cards', 'end_bonus', owner, ends * actions.end_points)
  }
  for (const name of ['disc_bonus', 'end_bonus']) {
    const sum = sumOf(all.map((owner) => sheet.of(`${name}.${owner}`)))
    const copies = actions.copies[name] ?? 0
    if (sum > copies) sheet.fault(cellsOf(name, all), 'box.fault.copies', { count: sum, most: copies })
  }
}

/** Section 5: those who share the first place get the points of the second, all others the flat points. The houses. */
function place(
  sheet: Sheet,
  part: string,
  row: string,
  all: number[],
  first: number,
  second: number,
  other: number,
): number {
  const houses = all.map((owner) => sheet.of(`${row}.${owner}`))
  const [most = 0, next = 0] = [...new Set(houses.filter((number) => number > 0))].sort((one, two) => two - one)
  if (most === 0) return 0
  const having = (number: number): number[] => all.filter((owner) => houses[owner] === number)
  const leaders = having(most)
  const alone = leaders.length === 1
  const second_alone = alone && next > 0 && having(next).length === 1
  const rest = all.filter((owner) => {
    const count = houses[owner]!
    return count > 0 && count < most && !(second_alone && count === next)
  })
  if (alone) sheet.say(row, 'box.why.most', { seat: leaders[0]!, count: most, points: first })
  else sheet.say(row, 'box.why.most_tied', { seats: leaders, count: most, points: second })
  if (second_alone) sheet.say(row, 'box.why.second', { seat: having(next)[0]!, count: next, points: second })
  if (rest.length > 0) {
    const tied = alone && next > 0 && !second_alone
    sheet.say(row, tied ? 'box.why.second_tied' : 'box.why.others', { seats: rest, count: next, points: other })
  }
  for (const owner of leaders) sheet.give(part, row, owner, alone ? first : second)
  for (const owner of all.filter((owner) => houses[owner]! > 0 && !leaders.includes(owner)))
    sheet.give(part, row, owner, second_alone && houses[owner] === next ? second : other)
  return sumOf(houses)
}

function discsHeld(setting: Set, sheet: Sheet, owner: number): number {
  const pairs = pairsOf(setting).filter((_, at) => sheet.of(`pair.${at}`) === owner + 1)
  return sumOf(TYPES.map((type) => sheet.of(`disc.${type}.${owner}`))) + pairs.length
}

/** Section 8.2.2: discs of one type; each of two colours counts where it brings most. */
function countDiscs(setting: Set, sheet: Sheet, all: number[], done: number, begun: number): void {
  const table = setting.printed.bonus.points
  const worth = (discs: number): number => table[Math.min(discs, table.length - 1)]!
  for (const type of TYPES) {
    const held = sumOf(all.map((owner) => sheet.of(`disc.${type}.${owner}`)))
    const most = discsOf(setting, type).length
    if (held > most)
      sheet.fault(cellsOf(`disc.${type}`, all), 'box.fault.discs', {
        type: phrase(`box.type.${type}`),
        count: held,
        most,
      })
  }
  const cells = TYPES.flatMap((type) => cellsOf(`disc.${type}`, all))
  const taken = sumOf(all.map((owner) => discsHeld(setting, sheet, owner)))
  const least = done * SPACES + begun
  // Whose houses stand is known when nothing was counted on the board.
  if (!onBoard(setting) && cells.every((id) => sheet.has(id))) {
    if (taken < least) sheet.fault(cells, 'box.fault.discs_few', { count: taken, least })
    const most = done * SPACES + begun * (SPACES - 1)
    if (taken > most) sheet.fault(cells, 'box.fault.discs_many', { count: taken, most })
  }
  for (const owner of all) {
    const pairs = pairsOf(setting).filter((_, at) => sheet.of(`pair.${at}`) === owner + 1)
    const own = Object.fromEntries(TYPES.map((type) => [type, sheet.of(`disc.${type}.${owner}`)])) as Record<
      Type,
      number
    >
    let best = { points: -1, counts: own }
    for (let choice = 0; choice < 1 << pairs.length; choice++) {
      const counts = { ...own }
      pairs.forEach((disc, at) => (counts[typesOf(disc)[(choice >> at) & 1]!] += 1))
      const points = sumOf(TYPES.map((type) => worth(counts[type])))
      if (points > best.points) best = { points, counts }
    }
    for (const type of TYPES) {
      const discs = best.counts[type]
      const points = worth(discs)
      if (points === 0) continue
      const two = discs - own[type]
      const row = `disc.${type}`
      sheet.give('discs', row, owner, points)
      sheet.say(row, two > 0 ? 'box.why.discs_two' : 'box.why.discs', { seat: owner, count: discs, two, points })
    }
  }
}

function setUp(setting: Set): Step[] {
  const { players, printed } = setting
  const step = (id: string, args = {}): Step => ({ id, words: phrase(`box.setup.${id}`, args) })
  const { small, large } = printed.units
  const actions = sumOf(Object.values(printed.actions.copies))
  return [
    twoColours(setting) ? step('discs_two', { number: printed.two_colour.replaced }) : step('discs_one'),
    step('discs', { discs: askedFor(setting).length }),
    step('marker', { first: printed.wonders.first[0]!, second: printed.wonders.second[0]! }),
    withActions(setting) ? step('actions', { cards: actions }) : step('no_actions'),
    step('cards', { cards: TYPES.length * printed.cards.copies }),
    step('players', { players, small, large }),
    step('hand', { cards: printed.cards.start_hand }),
    step('score'),
    step('columns'),
  ]
}

export default {
  players: [3, 5],
  options: () => ({ points: ['here', 'board'], action_cards: ['yes', 'no'], two_colour_discs: ['no', 'yes'] }),
  form,
  count,
  setUp,
  begins: () => phrase('box.begins'),
} satisfies Pad<Printed>
