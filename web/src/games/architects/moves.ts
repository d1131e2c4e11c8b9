/** The moves of 7 Wonders: Architects: what they say, and where on the board they are made. */
import { words, type Moment, type Moves } from '../../lib/notation'

interface Sight {
  players: number
  offer?: (string | null)[]
  looked?: { deck: string } | null
  decks?: { wonder: string; seat: number }[]
}

const deckBeside = ({ view, seat }: Moment<Sight>, side: string): string => {
  const owner = side === 'left' ? seat : (seat + view.players - 1) % view.players
  return `deck:${side === 'central' ? side : view.decks?.find((deck) => deck.seat === owner)?.wonder}`
}
const token = ({ view }: Moment<Sight>, name: string): string =>
  name === 'stack' ? name : `offer:${view.offer?.indexOf(name)}`
const cards = ({ own }: Moment<Sight>, text: string): string[] =>
  own ? words(text).map((card) => `cards:${card.replace('coin2', 'coin')}`) : []

export default {
  phrases: [
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
  places: [
    [/^(?:draw|look|extra \S+) (\S+)$/, (moment, side) => [deckBeside(moment, side!)]],
    [/^take (\S+)$/, (_, deck) => [`deck:${deck}`]],
    [/^build (\d+) with (.+)$/, (moment, stage, list) => [`stage:${moment.seat}:${stage}`, ...cards(moment, list!)]],
    [/^claim (.+) for (\S+)$/, (moment, list, name) => [token(moment, name!), ...cards(moment, list!)]],
    [/^token (\S+)$/, (moment, name) => [token(moment, name!)]],
    [/^keep/, ({ view }) => [`deck:${view.looked?.deck}`]],
    [/^wonder (\S+)$/, (_, wonder) => [`wonder:${wonder}`]],
  ],
  // "Left" is somewhere else for everybody.
  forEverybody: (moment, notation) =>
    notation.replace(/^(draw|look|extra \S+) (left|right|central)$/, (_, deed: string, side: string) => {
      const deck = deckBeside(moment, side).slice('deck:'.length)
      return `${deed === 'draw' ? 'take' : deed} ${deck}`
    }),
} satisfies Moves<Sight>
