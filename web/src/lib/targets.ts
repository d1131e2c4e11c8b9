/**
 * Where on the board a move of the notation is made: the names of places, as pieces travel between them (`data-place`).
 * What is not on everybody's board, such as the cards of a hand, is named only for whoever looks at their own move.
 */

/** A place, or so many of its own widths and heights beside it; a name that ends in `*` is all that begin like it. */
export type Target = string | [place: string, right: number, down: number]

interface Sight {
  players: number
  money?: ({ currency: string; value: number } | null)[]
  slots?: { currency: string }[]
  offer?: (string | null)[]
  looked?: { deck: string } | null
  chosen?: { wonder: string; space: number } | null
  moving?: string | null
  markers?: { letter: string; x: number; y: number }[]
  buildings?: { colour: string; number: number; x: number; y: number }[]
  decks?: { wonder: string; seat: number }[]
}

interface Moment {
  view: Sight
  seat: number
  /** Is it the move of whoever looks? */
  own: boolean
}

type Reading = [pattern: RegExp, targets: (moment: Moment, ...groups: string[]) => Target[]]

const words = (text = ''): string[] => text.split(' ').filter(Boolean)
const deckBeside = ({ view, seat }: Moment, side: string): string => {
  const owner = side === 'left' ? seat : (seat + view.players - 1) % view.players
  return `deck:${side === 'central' ? side : view.decks?.find((deck) => deck.seat === owner)?.wonder}`
}
const token = ({ view }: Moment, name: string): string =>
  name === 'stack' ? name : `offer:${view.offer?.indexOf(name)}`
const cards = ({ own }: Moment, text: string): string[] =>
  own ? words(text).map((card) => `cards:${card.replace('coin2', 'coin')}`) : []
const BESIDE: Record<string, [number, number]> = { north: [0, -1], east: [1, 0], south: [0, 1], west: [-1, 0] }
const markers = ({ view }: Moment): string[] => (view.markers ?? []).map(({ letter }) => letter).sort()

const READINGS: Record<string, Reading[]> = {
  alhambra: [
    [
      /^take (.+)$/,
      ({ view }, list) => {
        const open = (view.money ?? []).map((card) => card && `${card.currency} ${card.value}`)
        return [...list!.matchAll(/([a-z]+ \d+)(?:#(\d))?/g)].map(([, card, place]) => {
          const at = place ? Number(place) - 1 : open.indexOf(card!)
          open[at] = null
          return `money:${at}`
        })
      },
    ],
    [
      /^buy \S+ \d+ (\S+)(?: with ([\d ]+))?/,
      ({ view, own }, currency, paid) => {
        const seen: Record<string, number> = {}
        const hand = words(paid).map((value) => `${currency}-${value}-${(seen[value] = (seen[value] ?? 0) + 1)}`)
        return [`slot:${view.slots?.findIndex((slot) => slot.currency === currency)}`, ...(own ? hand : [])]
      },
    ],
  ],
  architects: [
    [/^(?:draw|look|extra \S+) (\S+)$/, (moment, side) => [deckBeside(moment, side!)]],
    [/^take (\S+)$/, (_, deck) => [`deck:${deck}`]],
    [/^build (\d+) with (.+)$/, (moment, stage, list) => [`stage:${moment.seat}:${stage}`, ...cards(moment, list!)]],
    [/^claim (.+) for (\S+)$/, (moment, list, name) => [token(moment, name!), ...cards(moment, list!)]],
    [/^token (\S+)$/, (moment, name) => [token(moment, name!)]],
    [/^keep/, ({ view }) => [`deck:${view.looked?.deck}`]],
    [/^wonder (\S+)$/, (_, wonder) => [`wonder:${wonder}`]],
  ],
  babel: [
    [/^choose (\S+) (\d)$/, (_, wonder, space) => [`disc:${wonder}:${Number(space) - 1}`]],
    [/^(?:offer|exchange) (.+)$/, ({ own }, list) => (own ? words(list).map((card) => `hand:${card}`) : [])],
    [
      /^accept ([\d ]+|none)/,
      ({ view }, seats) =>
        seats === 'none'
          ? [`disc:${view.chosen?.wonder}:${view.chosen?.space}`]
          : words(seats).map((seat) => `offer:${Number(seat) - 1}:*`),
    ],
    [/^fail$/, ({ view }) => [`disc:${view.chosen?.wonder}:${view.chosen?.space}`]],
    [/^pass$/, () => ['deck']],
    [/^(double|draw|triple)$/, ({ seat }) => [`actions:${seat}`]],
  ],
  ginkgopolis: [
    [
      /^play (\S+(?: \d+)?)(?: with (.+))?$/,
      ({ view, own }, card, tile) => {
        const at = view.buildings?.find(({ colour, number }) => `${colour} ${number}` === card)
        const hand = [`hand:${card}`, ...(tile ? [`tile:${tile}`] : [])]
        return [at ? `at:${at.x},${at.y}` : `marker:${card}`, ...(own ? hand : [])]
      },
    ],
    [/^pick (.+)$/, (_, character) => [`pick:${character}`]],
    [/^take (\S+)$/, ({ own }, good) => (own ? [`${good}s`] : [])],
    [
      /^move (north|east|south|west)$/,
      (moment, side) => {
        const from = moment.view.markers?.find(({ letter }) => letter === moment.view.moving)
        return from ? [[`at:${from.x},${from.y}`, ...BESIDE[side!]!]] : []
      },
    ],
    [
      /^move to (\S+) (\S+)$/,
      ({ view }, x, y) => {
        const [right, up] = [Number(x), Number(y)]
        const far = (one: { x: number; y: number }): number => Math.abs(one.x - right) + Math.abs(one.y - up)
        const near = [...(view.buildings ?? [])].sort((one, other) => far(one) - far(other))[0]
        return near ? [[`at:${near.x},${near.y}`, right - near.x, near.y - up]] : []
      },
    ],
    [
      /^shift (before|after)$/,
      (moment, side) => {
        const all = markers(moment)
        const at = all.indexOf(moment.view.moving ?? '') + (side === 'before' ? -1 : 1)
        return [`marker:${all.at(at % all.length)}`]
      },
    ],
    [/^return (.+)$/, ({ own }, list) => (own ? (list!.match(/[a-z]+ \d+/g) ?? []) : []).map((tile) => `tile:${tile}`)],
    [/^new hand$/, ({ own }) => (own ? ['hand'] : [])],
  ],
}

/** A move in words that mean the same to everybody at the table: a deck that is called after where it lies for one. */
export function forEverybody(view: unknown, seat: number, notation: string): string {
  return notation.replace(/^(draw|look|extra \S+) (left|right|central)$/, (_, deed: string, side: string) => {
    const deck = deckBeside({ view: view as Sight, seat, own: false }, side).slice('deck:'.length)
    return `${deed === 'draw' ? 'take' : deed} ${deck}`
  })
}

/** The places of a move; where nothing of it can be pointed at, that of the player. */
export function targets(game: string, view: unknown, seat: number, own: boolean, notation: string): Target[] {
  for (const [pattern, find] of READINGS[game] ?? []) {
    const found = pattern.exec(notation)
    if (!found) continue
    const all = find({ view: view as Sight, seat, own }, ...(found.slice(1) as string[]))
    if (all.length > 0) return [...new Set(all)]
  }
  return [`seat:${seat}`]
}
