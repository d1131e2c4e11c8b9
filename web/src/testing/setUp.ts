/** Around every test in a DOM. */
import { afterEach, beforeEach } from 'vitest'
import { clear, leave } from './page'

beforeEach(clear)
afterEach(leave)
