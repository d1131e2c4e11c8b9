import { describe, expect, it } from 'vitest'
import { patienceOf, patiences } from './terms'
import type { TimeControl } from '../lib/wire'

const clock = (kind: TimeControl['kind']): TimeControl => ({ kind, reserve: 600, step: 3600 })

describe('how soon a bot may play for somebody', () => {
  it('follows the pace, also when that is changed afterwards', () => {
    expect(patienceOf({ time: null, patience: '' })).toBe('300')
    expect(patienceOf({ time: clock('live'), patience: '' })).toBe('60')
    expect(patienceOf({ time: null, patience: '60' })).toBe('300')
    expect(patienceOf({ time: clock('live'), patience: '900' })).toBe('900')
    expect(patienceOf({ time: clock('days'), patience: '900' })).toBeNull()
  })
  it('offers what fits, with a number that somebody has chosen otherwise', () => {
    expect(patiences({ time: null, patience: '' })).toEqual(['120', '300', '900'])
    expect(patiences({ time: clock('live'), patience: '90' })).toEqual(['60', '90', '120', '300'])
    expect(patiences({ time: clock('days'), patience: '90' })).toEqual([])
  })
})
