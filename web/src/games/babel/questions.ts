/** What the board of Babel answers. */
import { called, leaders, named, ranked, seats, type Asked, type Questions, type Subject } from '../../table/questions'
import type { Builder, View, Wonder } from './wire'

type Counts = Record<string, number>

const of = (view: View, seat: number): Builder => view.builders[seat]!
const sum = (counts: Counts | null): number => Object.values(counts ?? {}).reduce((total, one) => total + one, 0)
/** "ship 5", as the words know what a disc asks for. */
const needsOf = (needs: Counts): string[] => Object.entries(needs).map(([card, count]) => `${card} ${count}`)

const site = (view: View, wonder: string): Wonder => view.wonders.find((one) => one.wonder === wonder)!

const counted = ({ say }: Asked<View>, key: 'card' | 'action', counts: Counts | null): string =>
  Object.entries(counts ?? {})
    .filter(([, count]) => count)
    .map(([card, count]) => say(key === 'card' ? 'ask.count' : 'ask.actions.count', { [key]: card, count }))
    .join(', ') || say('ask.none')

const wonders = (asked: Asked<View>): Subject[] =>
  asked.view.wonders.map(({ wonder }) => named(asked, 'wonder', wonder, `wonder.${wonder}.title`))
const types = (asked: Asked<View>): Subject[] => asked.view.types.map((type) => named(asked, 'card', type))

export default {
  moves: ['passed', 'chose', 'laid', 'accepted', 'failed'],
  quiet: ['disc_laid', 'drew_cards'],
  points: (view, seat) => of(view, seat).score,
  facts: [
    {
      name: 'hand',
      own: true,
      answer: (asked) => {
        const { hand, trade } = of(asked.view, asked.you!)
        const words = `${asked.say('ask.hand')}: ${counted(asked, 'card', hand)}`
        return trade ? `${words}, ${asked.say('label.with_trade')}` : words
      },
    },
    {
      name: 'card',
      of: types,
      plain: true,
      own: true,
      answer: ({ view, you, say }, card) => say('ask.card', { card, count: of(view, you!).hand?.[card] ?? 0 }),
    },
    {
      name: 'wonder',
      of: wonders,
      plain: true,
      answer: (asked, wonder) => {
        const { discs, units } = site(asked.view, wonder)
        const needs = discs.flatMap((disc) => (disc ? needsOf(disc) : []))
        const have = asked.seats.filter((seat) => units[seat])
        const houses = ranked(asked, (seat) => units[seat]!, have) || asked.say('ask.none')
        const facts = { wonder, needs, houses }
        return needs.length ? asked.say('ask.wonder', facts) : asked.say('ask.wonder.done', facts)
      },
    },
    {
      name: 'leads',
      of: wonders,
      answer: (asked, wonder) => {
        const [most, count] = leaders(asked, (seat) => site(asked.view, wonder).units[seat]!)
        if (!most.length) return asked.say('ask.leads.nobody', { wonder })
        return asked.say('ask.leads', { wonder, who: most.map((seat) => called(asked, seat)), count })
      },
    },
    {
      name: 'disc',
      answer: ({ view: { chosen }, say }) =>
        chosen ? say('ask.disc', { needs: needsOf(chosen.needs), wonder: chosen.wonder }) : say('ask.disc.none'),
    },
    {
      name: 'offers',
      answer: (asked) => {
        const made = asked.view.builders.flatMap(({ seat, offer }) =>
          offer ? [{ who: called(asked, seat), offer }] : [],
        )
        const each = made.map(({ who, offer: { cards, count, trade } }) => {
          if (!cards) return asked.say('ask.offered.hidden', { who, count })
          const words = asked.say('ask.offered', { who, cards: counted(asked, 'card', cards) })
          return trade ? `${words}, ${asked.say('label.with_trade')}` : words
        })
        return each.join('; ') || asked.say('label.no_offer')
      },
    },
    {
      name: 'value',
      answer: ({ view, say }) => {
        const row = view.rows[view.row]
        return row ? say('ask.value', { ...row, others: view.other }) : say('ask.none')
      },
    },
    { name: 'light', answer: ({ view, say }) => say('ask.light', { ...view.light }) },
    {
      name: 'bonus',
      answer: ({ view, say }) =>
        view.bonus.flatMap((points, discs) => (points ? [say('ask.bonus', { discs, points })] : [])).join(', '),
    },
    {
      name: 'left',
      answer: ({ view, say }) =>
        say('ask.left', { count: view.deck, gone: sum(view.discard), actions: view.action_deck }),
    },
    {
      name: 'actions',
      own: true,
      answer: (asked) => {
        const { actions } = of(asked.view, asked.you!)
        return sum(actions) ? counted(asked, 'action', actions) : asked.say('label.no_actions')
      },
    },
    {
      name: 'played',
      answer: (asked) => `${asked.say('label.actions_used')}: ${counted(asked, 'action', asked.view.actions_used)}`,
    },
    {
      name: 'player',
      of: seats,
      named: true,
      plain: true,
      answer: (asked, one) => {
        const { seat, score, cards, action_cards, discs, units_left } = of(asked.view, Number(one))
        const counts = { points: score, count: cards, actions: action_cards, discs: discs.length }
        const kinds = discs.map((types) => types.map((card) => asked.say(`card.${card}`)).join('/')).join(', ')
        return [
          asked.say('ask.player', { who: called(asked, seat), ...counts }) + (kinds && ` (${kinds})`),
          ...(units_left === null ? [] : [asked.say('ask.units', { count: units_left })]),
        ].join('; ')
      },
    },
  ],
} satisfies Questions<View>
