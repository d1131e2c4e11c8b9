import type { GameRoom } from '../../lib/games'
import Plate from './Plate.svelte'

/** Its board is still being built. */
export default { id: 'ginkgopolis', order: 4, plate: Plate } satisfies GameRoom
