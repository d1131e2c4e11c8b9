// A bot for Alhambra: The Card Game as a program for Node.js, without packages: docs/agents.md is the protocol.
//
//     ziggurat tournament alhambra --players 2 --bots "greedy,random,mine=cmd:node examples/alhambra.mjs"
//
// It buys what it can pay exactly, the dearest first, and otherwise takes as much money as it may.
import { createInterface } from 'node:readline'

const say = (message) => process.stdout.write(JSON.stringify(message) + '\n')

/** How much too much at least is paid for a price with some cards; Infinity when they are too few. */
function over(price, cards) {
  if (price <= 0) return -price
  return cards.reduce((least, card, k) => Math.min(least, over(price - card, cards.slice(k + 1))), Infinity)
}

/** What I hold of a currency, the highest card first. */
const held = (view, currency) =>
  view.owners[view.seat].hand
    .filter((card) => card.currency === currency)
    .map((card) => card.value)
    .sort((a, b) => b - a)

const worth = {
  buy({ building, currency }, view) {
    const price = Number(building.split(' ')[1])
    const lost = over(price, held(view, currency))
    return lost === 0 ? 100 + price : price - 6 * lost
  },
  take: ({ cards, total }) => total - 0.5 * cards.length,
  keep: () => 1000,
  pay({ value }, view) {
    const { currency, building } = view.slots[view.paying.slot]
    const cards = held(view, currency)
    return -over(building.price - view.paying.total - value, cards.slice(cards.indexOf(value) + 1)) + value / 100
  },
  give: () => -1000,
}

for await (const line of createInterface({ input: process.stdin })) {
  const { type, id, choices, view } = JSON.parse(line)
  if (type === 'hello') say({ want: ['view', 'choices'] })
  if (type !== 'decision') continue
  const scored = choices.map((choice) => [worth[choice.type]?.(choice, view) ?? 0, choice.action])
  say({ id, action: scored.reduce((best, one) => (one[0] > best[0] ? one : best))[1] })
}
