import { render } from 'svelte/server'
import type { Component } from 'svelte'
import { describe, expect, it } from 'vitest'
import type { Speak } from '../../lib/i18n.svelte'
import { showsOf } from './plain'
import type { Choice } from '../../lib/wire'
import Choices from './Choices.svelte'
import Player from './Player.svelte'
import Points from './Points.svelte'

const WORDS: Record<string, string> = { 'field.hand': 'Your <cards>' }
const say: Speak = Object.assign((key: string) => WORDS[key] ?? key, {
  phrase: ({ key }: { key: string }) => key,
  has: (key: string) => key in WORDS,
})
const choice = (action: number, notation: string): Choice => ({ action, type: 'lay', notation })
const NAMES = ['Ada', 'Béla']

/** What a part needs of a table at which Ada has chosen to lay a 5. */
const session = {
  say,
  finished: true,
  name: (seat: number) => NAMES[seat] ?? 'Nobody',
  seat: (seat: number) =>
    NAMES[seat] && { seat, kind: 'human', name: NAMES[seat], you: seat === 0, online: true, away: false, bot: null },
  source: { table: { winners: [1], scores: [3, 4] } },
  selection: { touched: choice(5, 'lay 5') },
  pendingMove: { steps: [], preview: null, busy: false },
  decision: {
    legal: [choice(5, 'lay 5'), choice(7, 'lay 7')],
    refusals: [{ choice: choice(9, 'lay 9'), reason: { key: 'refuse.lay', args: {} } }],
  },
}
const shows = showsOf(
  {
    seats: [
      { seat: 0, score: 3, hand: ['5', '7'] },
      { seat: 1, score: 4 },
    ],
  },
  2,
)

const drawn = (part: unknown, props: object): string =>
  render(part as Component<Record<string, unknown>>, { props: { session, ...props } }).body

/** What is read of a part: its text, buttons in brackets. */
function read(part: unknown, props: object): string {
  return drawn(part, props)
    .replace(/<!--.*?-->/gs, '')
    .replace(/<button[^>]*aria-pressed="true"[^>]*>(.*?)<\/button>/gs, '*$1*')
    .replace(/<button[^>]*>(.*?)<\/button>/gs, '[$1]')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

describe('on the plain board', () => {
  it('choices are buttons, what is touched is pressed, and what is refused stands last', () => {
    expect(read(Choices, { ontouch: () => undefined, ontake: () => undefined })).toBe(
      '*Lay 5*[Lay 7] ui.table.not_possible (1) [Lay 9 . ui.table.not_possible ]',
    )
  })
  it('of many choices a part is shown, and a button for each other part', () => {
    const legal = [0, 1].flatMap((seat) =>
      Array.from({ length: 7 }, (_, at): Choice => {
        const action = 10 * seat + at
        return { action, type: 'ask', notation: `ask ${action}`, seat, card: at } as Choice
      }),
    )
    const asked = { ...session, decision: { legal, refusals: [] } }
    const body = drawn(Choices, { session: asked })
    const parts = [...body.matchAll(/aria-expanded="(\w+)"[^>]*>(?:<!--.*?-->)*(\w+)/gs)]
    expect(parts.map(([, open, name]) => [name, open])).toEqual([
      ['Ada', 'true'],
      ['B', 'false'],
    ])
    const [first = '', second = ''] = body.split(/<div[^>]*hidden[^>]*>/)
    expect([first, second].map((part) => part.match(/Ask \d+/g)?.length)).toEqual([7, 7])
  })
  it('a player has a name, points and fields, in words that are no markup', () => {
    const said = read(Player, { shown: shows.seats[0], turn: true })
    expect(said).toMatch(/^Ada plain.on_turn 3 plain.points Your &lt;cards> 5 7$/)
    expect(read(Player, { shown: shows.seats[1], turn: false })).not.toContain('plain.on_turn')
  })
  it('whoever has more points comes first in the end', () => {
    expect(read(Points, { shows })).toBe('ui.end.breakdown Béla 4 Ada 3')
  })
})
