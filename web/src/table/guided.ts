/** Which table a feature guides, by a panel beside it: this browser alone knows. */
import { write, written } from '../lib/kept'

const KEY = 'ziggurat.guided'

export const guided = (): string | null => written(KEY)
/** `null`: none any more. */
export const guide = (table: string | null): boolean => write(KEY, table)
