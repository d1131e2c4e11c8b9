/** Around every test in a DOM: nearly all files of them read the modules of the page once. */
import { afterEach, beforeEach } from 'vitest'
import { clear, leave } from './page'

beforeEach(clear)
afterEach(leave)
