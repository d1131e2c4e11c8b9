import type { GameRoom } from '../../lib/games'
import Plate from './Plate.svelte'

/** Its board is still being built. */
export default { id: 'babel', order: 3, plate: Plate } satisfies GameRoom
