/** Around every test in a DOM, in whichever file: modules are read once for all of them. */
import { afterEach, beforeEach } from 'vitest'
import { clear, leave } from './page'

beforeEach(clear)
afterEach(leave)
