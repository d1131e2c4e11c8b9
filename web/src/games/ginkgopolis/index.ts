import type { GameRoom } from '../../lib/games'

/** Its board is still being built. */
export default { id: 'ginkgopolis', order: 4, plate: () => import('./Plate.svelte') } satisfies GameRoom
