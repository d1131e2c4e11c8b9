/** Counting Alhambra with the box: three scorings, each type of building by who has most. */
import { counts, owners, phrase } from '../../lib/pad'
import type { Entries, Form, Pad, Setting, Sheet, Step } from '../../lib/pad'

const KINDS = ['pavilion', 'seraglio', 'arcades', 'chambers', 'garden', 'tower'] as const
const ROUNDS = ['A', 'B', 'C'] as const
type Round = (typeof ROUNDS)[number]

interface Building {
  prices: number[]
  points_a: number[]
  points_b: number[]
  points_c: number[]
}

export interface Printed {
  money: { copies: number[]; copies_two_players: number[] }
  setup: { starting_capital: number; piles: number; pile_of_a: number; pile_of_b: number }
  neutral: { at_the_start: number; after_a: number; after_b: number }
  buildings: Record<(typeof KINDS)[number], Building>
}

/** Players, and the neutral one of the game for two. */
const everybody = (players: number): number => (players === 2 ? 3 : players)

const pointsOf = (building: Building, round: Round): number[] =>
  ({ A: building.points_a, B: building.points_b, C: building.points_c })[round]

function form({ players, printed }: Setting<Printed>): Form {
  const all = owners(everybody(players))
  return {
    owners: all.length,
    ...(players === 2 ? { neutral: phrase('label.neutral') } : {}),
    parts: ROUNDS.map((round) => ({ id: round, label: phrase(`label.scoring.${round}`) })),
    sections: ROUNDS.map((round, at) => ({
      id: round,
      part: round,
      title: phrase(`label.scoring.${round}`),
      help: phrase(`box.help.${round}`),
      ...(at > 0 ? { after: ROUNDS[at - 1]! } : {}),
      rows: KINDS.map((kind) =>
        counts(
          `${round}.${kind}`,
          phrase('box.building', { building: kind, points: pointsOf(printed.buildings[kind], round).join(' · ') }),
          all,
          printed.buildings[kind].prices.length,
          { piece: kind },
        ),
      ),
    })),
  }
}

function count({ players, printed }: Setting<Printed>, entries: Entries, sheet: Sheet): void {
  const all = owners(everybody(players))
  if (players === 2) sheet.aside.add(2) // R13
  for (const [at, round] of ROUNDS.entries()) {
    if (!Object.keys(entries).some((id) => id.startsWith(`${round}.`))) continue
    for (const kind of KINDS) {
      const row = `${round}.${kind}`
      const building = printed.buildings[kind]
      const built = all.map((owner) => sheet.of(`${row}.${owner}`))
      const sum = built.reduce((one, other) => one + other, 0)
      if (sum > building.prices.length)
        sheet.fault(
          all.map((owner) => `${row}.${owner}`),
          'box.fault.too_many',
          { building: kind, count: sum, most: building.prices.length },
        )
      const before = ROUNDS[at - 1]
      for (const owner of all) {
        const had = before ? sheet.of(`${before}.${kind}.${owner}`) : 0
        // Those who type row by row have not come to the others yet.
        const said = sheet.has(`${row}.${owner}`) || all.some((other) => sheet.has(`${row}.${other}`))
        if (said && built[owner]! < had)
          sheet.fault([`${row}.${owner}`], 'box.fault.fewer', {
            seat: owner,
            building: kind,
            had,
            count: built[owner]!,
            scoring: before!,
          })
      }
      if (all.some((owner) => sheet.has(`${row}.${owner}`))) share(sheet, round, row, built, pointsOf(building, round))
    }
  }
}

/** Section 4.3: places by number; those who are tied share the points of the places they fill, rounded down. */
function share(sheet: Sheet, round: Round, row: string, built: number[], points: number[]): void {
  const numbers = [...new Set(built.filter((number) => number > 0))].sort((one, other) => other - one)
  if (numbers.length === 0) sheet.say(row, 'box.no_building')
  let place = 1
  for (const number of numbers) {
    const seats = [...built.keys()].filter((owner) => built[owner] === number)
    const worth = points.slice(place - 1, place - 1 + seats.length)
    const sum = worth.reduce((one, other) => one + other, 0)
    const each = Math.floor(sum / seats.length)
    if (worth.length === 0) sheet.say(row, 'box.no_place', { seats, count: number, place })
    else if (seats.length === 1) sheet.say(row, 'box.place', { seat: seats[0]!, count: number, place, points: each })
    else {
      const parts = seats.map((_, at) => worth[at] ?? 0).join(' + ')
      sheet.say(row, 'box.shared', { seats, count: number, place, parts, tied: seats.length, points: each })
    }
    for (const owner of seats) sheet.give(round, row, owner, each)
    place += seats.length
  }
}

function setUp({ players, options, printed }: Setting<Printed>): Step[] {
  const { setup, neutral } = printed
  const copies = players === 2 ? printed.money.copies_two_players : printed.money.copies
  const cards = 4 * copies.reduce((one, other) => one + other, 0)
  const buildings = KINDS.reduce((sum, kind) => sum + printed.buildings[kind].prices.length, 0)
  const step = (id: string, args = {}): Step => ({ id, words: phrase(`box.setup.${id}`, args) })
  return [
    ...(players === 2 ? [step('money_two', { cards })] : []),
    step('buildings', { cards: buildings }),
    ...(players === 2 && neutral.at_the_start > 0 ? [step('neutral', { cards: neutral.at_the_start })] : []),
    step('money', { cards }),
    step('capital', { total: setup.starting_capital }),
    step(options.start_player === 'lowest_total' ? 'start_lowest' : 'start'),
    step('open'),
    step('piles', { piles: setup.piles, first: setup.pile_of_a, second: setup.pile_of_b }),
    step('scoring'),
    ...(players === 2 ? [step('neutral_later', { first: neutral.after_a, second: neutral.after_b })] : []),
  ]
}

export default {
  players: [2, 6],
  options: () => ({ start_player: ['youngest', 'lowest_total'] }),
  form,
  count,
  setUp,
  begins: ({ options }) => phrase(`box.begins.${options.start_player}`),
} satisfies Pad<Printed>
