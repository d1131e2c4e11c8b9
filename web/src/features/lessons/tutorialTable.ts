/** Which table is the tutorial: this browser alone knows (`tutorial.ts` begins one). */
import { written } from '../../lib/kept'

export const TUTORIAL = 'ziggurat.guided'

export const tutorialTable = (): string | null => written(TUTORIAL)
