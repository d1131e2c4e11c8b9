import type { GameRoom } from '../../lib/games'

/** Its board is still being built. */
export default { id: 'babel', order: 3, plate: () => import('./Plate.svelte') } satisfies GameRoom
