import { describe, expect, it, vi } from 'vitest'

vi.stubGlobal('location', { hash: '' })
vi.stubGlobal('addEventListener', () => undefined)
const { parse, taken } = await import('./router.svelte')

describe('parse', () => {
  it('reads which page an address shows, and what of it', () => {
    expect(parse('')).toEqual({ page: 'home', parts: [] })
    expect(parse('#/')).toEqual({ page: 'home', parts: [] })
    expect(parse('#/people')).toEqual({ page: 'people', parts: [] })
    expect(parse('#/table/abc/s-e_c')).toEqual({ page: 'table', parts: ['abc', 's-e_c'] })
    expect(parse('#/new/chess/played.a-b_c%2Cplayed.d').parts).toEqual(['chess', 'played.a-b_c,played.d'])
  })
  it('reads what is left of a link that was cut', () => {
    expect(parse('#/join/abc/xyz%').parts).toEqual(['abc', 'xyz%'])
    expect(parse('#/table/a%62c').parts).toEqual(['abc'])
    expect(parse('#%')).toEqual({ page: '%', parts: [] })
  })
})

describe('taken', () => {
  const load = () => Promise.reject(new Error('nobody opens it'))
  const page = { takes: ['table', 'secret?'], load }
  it('names what a page takes from its address', () => {
    expect(taken(page, parse('#/screen/abc/s-e_c'))).toEqual({ table: 'abc', secret: 's-e_c' })
    expect(taken({ load }, parse('#/people'))).toEqual({})
  })
  it('leaves out what may be left out, and no more', () => {
    expect(taken(page, parse('#/screen/abc'))).toEqual({ table: 'abc', secret: '' })
    expect(taken(page, parse('#/screen'))).toBeNull()
    expect(taken({ ...page, takes: ['table', 'secret'] }, parse('#/join/abc/'))).toBeNull()
  })
})
