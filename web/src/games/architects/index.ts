import type { GameRoom } from '../../lib/games'
import Plate from './Plate.svelte'

/** Its board is still being built. */
export default { id: 'architects', order: 2, plate: Plate } satisfies GameRoom
