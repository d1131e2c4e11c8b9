/** Where on the board of Alhambra moves are made. */
import type { Places } from '../../table/moves'
import type { Choice } from './wire'

export default {
  take: ({ positions }) => positions.map((at) => `money:${at}`),
  buy: ({ slot }) => [`slot:${slot}`],
  pay: ({ value }, { own }, before) => {
    if (!own) return []
    const bought = before.find((step) => step.type === 'buy')
    const alike = before.filter((step) => step.type === 'pay' && step.value === value)
    return bought ? [`${bought.currency}-${value}-${alike.length + 1}`] : []
  },
} satisfies Places<unknown, Choice>
