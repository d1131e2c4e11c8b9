/** Counting 7 Wonders: Architects with the box: the wonder, what lies in front of everybody, tokens. */
import { counts, holder, owners, phrase } from '../../lib/pad'
import type { Entries, Form, Pad, Row, Setting, Sheet, Step } from '../../lib/pad'

const WONDERS = ['alexandria', 'babylon', 'ephesus', 'giza', 'halicarnassus', 'olympia', 'rhodes'] as const
const STAGES = [1, 2, 3, 4, 5]
/** Tokens of which each is there once, and that count at the end. */
const SINGLE = ['decor', 'politics', 'strategy', 'education'] as const
const AT_THE_END = [...SINGLE, 'culture']

interface Wonder {
  levels: number[][]
  points: number[]
}

export interface Printed {
  cards: { points: { vp3: number; vp2cat: number } }
  points: { cat: number; military: number }
  tokens: {
    face_up: number
    decor: number[]
    politics: number
    strategy: number
    education: number
    culture: number[]
    copies: Record<string, number>
  }
  conflict: { tokens: number[]; military_supply: number }
  costs: { count: number; relation: string }[]
  wonders: Record<string, Wonder>
  decks: Record<string, Record<string, number>>
}

type Set = Setting<Printed>

const sumOf = (numbers: number[]): number => numbers.reduce((one, other) => one + other, 0)
const tokensInBox = ({ tokens }: Printed): number => sumOf(Object.values(tokens.copies))
const cellsOf = (row: string, all: number[]): string[] => all.map((owner) => `${row}.${owner}`)

/** How many cards of a kind the decks of the wonders chosen hold, with the central one; of all, while some are not chosen. */
function inPlay(printed: Printed, chosen: number[], kind: string): number {
  const decks = chosen.every((number) => number > 0) ? chosen.map((number) => WONDERS[number - 1]!) : [...WONDERS]
  return sumOf([...decks, 'central'].map((deck) => printed.decks[deck]?.[kind] ?? 0))
}

const wondersOf = (entries: Entries, all: number[]): number[] => all.map((owner) => entries[`wonder.${owner}`] ?? 0)

function form({ players, printed }: Set, entries: Entries): Form {
  const all = owners(players)
  const { tokens, points, cards } = printed
  const chosen = wondersOf(entries, all)
  const marks = (stage: number): Row => {
    const { count, relation } = printed.costs[stage - 1]!
    return {
      id: `stage.${stage}`,
      label: phrase('box.stage', { stage, cost: phrase(`box.cost.${relation}`, { count }) }),
      piece: 'stage',
      cells: all.map((owner) => ({
        id: `stage.${stage}.${owner}`,
        kind: 'mark' as const,
        owner,
        least: 0,
        most: 1,
        label: phrase('box.stage.of', { stage, seat: owner }),
      })),
    }
  }
  const wonder: Row = {
    id: 'wonder',
    label: phrase('box.wonder'),
    piece: 'wonder',
    cells: all.map((owner) => ({
      id: `wonder.${owner}`,
      kind: 'choice' as const,
      owner,
      least: 0,
      most: WONDERS.length,
      choices: WONDERS.map((name) => phrase(`wonder.${name}`)),
    })),
  }
  const single = SINGLE.filter((token) => tokens.copies[token])
  const others = tokensInBox(printed) - sumOf(AT_THE_END.map((token) => tokens.copies[token] ?? 0))
  return {
    owners: players,
    parts: ['stages', 'cards', 'military', 'tokens'].map((id) => ({ id, label: phrase(`tally.${id}`) })),
    sections: [
      {
        id: 'wonder',
        part: 'stages',
        title: phrase('tally.stages'),
        help: phrase('box.stages.help'),
        rows: [wonder, ...STAGES.map(marks)],
      },
      {
        id: 'cards',
        part: 'cards',
        title: phrase('box.cards'),
        rows: [
          counts('vp3', phrase('box.vp3', { points: cards.points.vp3 }), all, inPlay(printed, chosen, 'vp3'), {
            piece: 'vp3',
          }),
          counts(
            'vp2cat',
            phrase('box.vp2cat', { points: cards.points.vp2cat }),
            all,
            inPlay(printed, chosen, 'vp2cat'),
            { piece: 'vp2cat' },
          ),
          {
            id: 'cat',
            label: phrase('box.cat', { points: points.cat }),
            piece: 'cat',
            cells: [holder('cat', { owners: players }, { piece: 'cat', label: phrase('box.cat.name') })],
          },
        ],
      },
      {
        id: 'military',
        part: 'military',
        title: phrase('tally.military'),
        rows: [counts('military', phrase('box.military', { points: points.military }), all, 999, { piece: 'war' })],
      },
      {
        id: 'tokens',
        part: 'tokens',
        title: phrase('tally.tokens'),
        help: phrase('box.tokens.help'),
        rows: [
          ...single.map((token): Row => ({
            id: token,
            label: phrase(`box.token.${token}`, tokenArgs(printed, token)),
            piece: `token ${token}`,
            cells: [holder(token, { owners: players }, { piece: `token ${token}`, label: phrase(`token.${token}`) })],
          })),
          counts(
            'culture',
            phrase('box.token.culture', { points: tokens.culture[0]!, both: tokens.culture[1]! }),
            all,
            tokens.copies.culture ?? 0,
            { piece: 'token culture' },
          ),
          counts('others', phrase('box.others'), all, others, { piece: 'token', help: phrase('box.others.help') }),
        ],
      },
    ],
  }
}

function tokenArgs({ tokens }: Printed, token: (typeof SINGLE)[number]): Record<string, number> {
  if (token === 'decor') return { points: tokens.decor[0]!, complete: tokens.decor[1]! }
  return { points: tokens[token] }
}

function count({ players, options, printed }: Set, entries: Entries, sheet: Sheet): void {
  const all = owners(players)
  const { tokens, points, cards } = printed
  const chosen = wondersOf(entries, all)
  const complete = all.map((owner) => countStages(printed, sheet, owner, chosen))
  const finished = all.filter((owner) => complete[owner])
  if (finished.length > 1)
    sheet.fault(
      finished.flatMap((owner) => STAGES.map((stage) => `stage.${stage}.${owner}`)),
      'box.fault.two_complete',
      { seats: finished },
    )
  for (const owner of all) {
    const same = all.filter((other) => chosen[other] === chosen[owner] && chosen[owner]! > 0)
    if (same.length > 1 && same[0] === owner)
      sheet.fault(cellsOf('wonder', same), 'box.fault.same_wonder', { seats: same })
    sheet.give('cards', 'vp3', owner, sheet.of(`vp3.${owner}`) * cards.points.vp3)
    sheet.give('cards', 'vp2cat', owner, sheet.of(`vp2cat.${owner}`) * cards.points.vp2cat)
    sheet.give('military', 'military', owner, sheet.of(`military.${owner}`) * points.military)
  }
  for (const kind of ['vp3', 'vp2cat']) {
    const sum = sumOf(all.map((owner) => sheet.of(`${kind}.${owner}`)))
    const most = inPlay(printed, chosen, kind)
    if (sum > most) sheet.fault(cellsOf(kind, all), 'box.fault.cards', { count: sum, most })
  }
  countCat(sheet, all, points.cat)
  const won = sumOf(all.map((owner) => sheet.of(`military.${owner}`)))
  if (won > printed.conflict.military_supply) {
    const args = { count: won, most: printed.conflict.military_supply }
    sheet.fault(cellsOf('military', all), 'box.fault.military', args, options.military === 'limited')
  }
  countTokens(printed, sheet, all, complete)
  for (const [name, most] of [
    ['culture', tokens.copies.culture ?? 0],
    ['others', tokensInBox(printed) - sumOf(AT_THE_END.map((token) => tokens.copies[token] ?? 0))],
  ] as const) {
    const sum = sumOf(all.map((owner) => sheet.of(`${name}.${owner}`)))
    if (sum > most) sheet.fault(cellsOf(name, all), 'box.fault.tokens', { count: sum, most })
  }
  sheet.verdict = (winners, tied) =>
    tied.length < 2
      ? null
      : phrase(winners.length < tied.length ? 'box.tie.stages' : 'box.tie.shared', { seats: tied, winners })
}

/** The stages of a player's wonder; whether it is complete. */
function countStages(printed: Printed, sheet: Sheet, owner: number, chosen: number[]): boolean {
  const built = STAGES.filter((stage) => sheet.of(`stage.${stage}.${owner}`) === 1)
  sheet.tieBreak[owner] = built.length
  const name = WONDERS[chosen[owner]! - 1]
  if (name === undefined) {
    if (built.length > 0) sheet.fault([`wonder.${owner}`], 'box.fault.no_wonder', { seat: owner })
    return false
  }
  const { levels, points } = printed.wonders[name]!
  for (const [at, level] of levels.entries()) {
    const below = levels.slice(0, at).flat()
    const missing = below.filter((stage) => !built.includes(stage))
    for (const stage of level)
      if (built.includes(stage) && missing.length > 0)
        sheet.fault([`stage.${stage}.${owner}`], 'box.fault.below', { seat: owner, stage, missing: missing[0]! })
  }
  for (const stage of built) {
    sheet.give('stages', `stage.${stage}`, owner, points[stage - 1]!)
    sheet.say(`stage.${stage}`, 'box.why.stage', {
      seat: owner,
      wonder: phrase(`wonder.${name}`),
      points: points[stage - 1]!,
    })
  }
  return built.length === STAGES.length
}

/** Section 11: the player who takes a blue card with a cat has the pawn, until another one does. */
function countCat(sheet: Sheet, all: number[], points: number): void {
  const cat = sheet.of('cat') - 1
  const cats = all.map((owner) => sheet.of(`vp2cat.${owner}`))
  if (cat >= 0) {
    sheet.give('cards', 'cat', cat, points)
    if (cats[cat] === 0) sheet.fault(['cat', `vp2cat.${cat}`], 'box.fault.cat_without', { seat: cat })
  } else if (sumOf(cats) > 0) sheet.fault(['cat'], 'box.fault.cat_nobody')
}

/** Section 5: the tokens that count at the end. */
function countTokens(printed: Printed, sheet: Sheet, all: number[], complete: boolean[]): void {
  const { tokens } = printed
  const holds = (token: string): number => sheet.of(token) - 1
  const give = (row: string, owner: number, points: number, args = {}): void => {
    sheet.give('tokens', row, owner, points)
    sheet.say(row, `box.why.${row}`, { seat: owner, points, ...args })
  }
  const decor = holds('decor')
  if (decor >= 0) {
    const points = tokens.decor[complete[decor] ? 1 : 0]!
    sheet.give('tokens', 'decor', decor, points)
    sheet.say('decor', complete[decor] ? 'box.why.decor_complete' : 'box.why.decor', { seat: decor, points })
  }
  const politics = holds('politics')
  if (politics >= 0) {
    const cats = sheet.of(`vp2cat.${politics}`)
    give('politics', politics, cats * tokens.politics, { count: cats })
  }
  const strategy = holds('strategy')
  if (strategy >= 0) {
    const won = sheet.of(`military.${strategy}`)
    give('strategy', strategy, won * tokens.strategy, { count: won })
  }
  const education = holds('education')
  if (education >= 0) {
    const own = SINGLE.filter((token) => holds(token) === education).length
    const all_of_them = own + sheet.of(`culture.${education}`) + sheet.of(`others.${education}`)
    give('education', education, all_of_them * tokens.education, { count: all_of_them })
  }
  for (const owner of all) {
    const copies = sheet.of(`culture.${owner}`)
    if (copies > 0) give('culture', owner, tokens.culture[copies > 1 ? 1 : 0]!, { count: copies })
  }
}

function setUp({ players, options, printed }: Set): Step[] {
  const { tokens, conflict } = printed
  const step = (id: string, args = {}): Step => ({ id, words: phrase(`box.setup.${id}`, args) })
  const central = sumOf(Object.values(printed.decks.central ?? {}))
  return [
    step(`wonders_${options.wonders ?? 'random'}`, { offered: Math.min(players + 1, WONDERS.length) }),
    step('stages'),
    step('decks'),
    step('central', { cards: central }),
    step('tokens', { tokens: tokensInBox(printed), open: tokens.face_up }),
    step('conflict', { tokens: conflict.tokens[players - 2]! }),
    step('military', { tokens: conflict.military_supply }),
    step('cat'),
  ]
}

export default {
  players: [2, 7],
  options: () => ({ wonders: ['random', 'chosen', 'drafted'], military: ['unlimited', 'limited'] }),
  form,
  count,
  setUp,
  begins: () => phrase('box.begins'),
} satisfies Pad<Printed>
