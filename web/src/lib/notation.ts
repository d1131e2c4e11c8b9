/** What a move of the notation says, as a phrase of the game's own catalogue. */
import type { Args, Phrase } from './types'

type Reading = [pattern: RegExp, key: string, args?: (...groups: string[]) => Args]

const words = (text: string | undefined): string[] => (text ? text.split(' ') : [])
/** "blue 5#2 green 3": pieces of two words, with the place where one of several alike lies. */
const pairs = (text: string): string[] => text.replace(/#\d+/g, '').match(/\S+ \S+/g) ?? []
const seats = (text: string): number[] => words(text).map((seat) => Number(seat) - 1)

const READINGS: Record<string, Reading[]> = {
  alhambra: [
    [/^take (.+)$/, 'menu.take', (cards) => ({ cards: pairs(cards!) })],
    [
      /^buy (\S+ \d+) (\S+) with ([\d ]+?)( for neutral)?$/,
      'move.buy',
      (building, currency, cards, neutral) => ({
        building: building!,
        cards: words(cards).map((value) => `${currency} ${value}`),
        neutral: neutral ? 1 : 0,
      }),
    ],
  ],
  architects: [
    [/^draw (\S+)$/, 'move.draw', (side) => ({ side: side! })],
    [/^extra (\S+) (left|right|central)$/, 'move.extra', (token, side) => ({ token: token!, side: side! })],
    [/^extra (\S+) (\S+)$/, 'move.extra_deck', (token, deck) => ({ token: token!, deck: deck! })],
    [
      /^build (\d+) with (.+)$/,
      'menu.build',
      (stage, cards) => ({
        stage: Number(stage),
        cards: words(cards).map((card) => (card === 'coin2' ? 'coin' : card)),
        economy: cards!.includes('coin2') ? 1 : 0,
      }),
    ],
    [/^claim (.+) for (\S+)$/, 'menu.claim', (cards, token) => ({ cards: words(cards), token: token! })],
    [/^token (\S+)$/, 'menu.take_token', (token) => ({ token: token! })],
    [/^take (\S+)$/, 'move.take', (deck) => ({ deck: deck! })],
    [/^look (left|right)$/, 'move.look', (side) => ({ side: side! })],
    [/^look (\S+)$/, 'move.look_deck', (deck) => ({ deck: deck! })],
    [/^keep (\S+)$/, 'menu.keep', (card) => ({ card: card! })],
    [/^wonder (\S+)$/, 'menu.choose_wonder', (wonder) => ({ wonder: wonder! })],
    [/^end$/, 'menu.end'],
  ],
  babel: [
    [/^choose (\S+) (\d)$/, 'move.choose', (wonder, n) => ({ wonder: wonder!, n: Number(n) })],
    [/^offer nothing$/, 'move.offer_nothing'],
    [/^offer nothing with trade$/, 'move.offer_trade'],
    [/^offer (.+?)( with trade)?$/, 'move.offer', (cards, trade) => ({ cards: words(cards), trade: trade ? 1 : 0 })],
    [/^exchange (.+)$/, 'move.exchange', (cards) => ({ cards: words(cards) })],
    [
      /^accept (?:none|([\d ]+?))(?: joker for (.+))?$/,
      'move.accept',
      // A Joker stands for two cards.
      (others, cards) => ({ seats: seats(others ?? ''), jokers: words(cards).length / 2 }),
    ],
    [/^pass$/, 'move.pass'],
    [/^fail$/, 'menu.fail'],
  ],
  ginkgopolis: [
    [/^play (.+) with (.+)$/, 'move.play_with', (card, tile) => ({ card: card!, tile: tile! })],
    [/^play (.+)$/, 'move.play', (card) => ({ card: card! })],
    [/^pick (\S+) (\S+)$/, 'move.pick', (colour, trigger) => ({ colour: colour!, trigger: trigger! })],
    [/^take (\S+)$/, 'move.take', (good) => ({ good: good! })],
    [/^move to (\S+) (\S+)$/, 'move.move_to', (x, y) => ({ x: Number(x), y: Number(y) })],
    [/^move (\S+)$/, 'move.move', (direction) => ({ direction: direction! })],
    [/^return nothing$/, 'move.return_nothing'],
    [/^return (.+)$/, 'move.return', (tiles) => ({ tiles: pairs(tiles!) })],
  ],
}

export function read(game: string, notation: string): Phrase | null {
  for (const [pattern, key, args] of READINGS[game] ?? []) {
    const found = pattern.exec(notation)
    if (found) return { key, args: args?.(...(found.slice(1) as string[])) ?? {} }
  }
  // A single word that needs nothing more: `move.double`.
  return { key: `move.${notation.replaceAll(' ', '_')}`, args: {} }
}
