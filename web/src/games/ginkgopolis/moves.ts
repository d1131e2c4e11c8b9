/** The moves of Ginkgopolis: what they say, and where on the board they are made. */
import { pairs, type Moment, type Moves } from '../../lib/notation'

interface Sight {
  moving?: string | null
  markers?: { letter: string; x: number; y: number }[]
  buildings?: { colour: string; number: number; x: number; y: number }[]
}

const BESIDE: Record<string, [number, number]> = { north: [0, -1], east: [1, 0], south: [0, 1], west: [-1, 0] }
const markers = ({ view }: Moment<Sight>): string[] => (view.markers ?? []).map(({ letter }) => letter).sort()

export default {
  phrases: [
    [/^play (.+) with (.+)$/, 'move.play_with', (card, tile) => ({ card: card!, tile: tile! })],
    [/^play (.+)$/, 'move.play', (card) => ({ card: card! })],
    [/^pick (\S+) (\S+)$/, 'move.pick', (colour, trigger) => ({ colour: colour!, trigger: trigger! })],
    [/^take (\S+)$/, 'move.take', (good) => ({ good: good! })],
    [/^move to (\S+) (\S+)$/, 'move.move_to', (x, y) => ({ x: Number(x), y: Number(y) })],
    [/^move (\S+)$/, 'move.move', (direction) => ({ direction: direction! })],
    [/^return nothing$/, 'move.return_nothing'],
    [/^return (.+)$/, 'move.return', (tiles) => ({ tiles: pairs(tiles!) })],
  ],
  places: [
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
} satisfies Moves<Sight>
