import { describe, expect, it, vi } from 'vitest'

vi.stubGlobal('location', { hash: '' })
vi.stubGlobal('addEventListener', () => undefined)
const { parse } = await import('./router.svelte')

describe('parse', () => {
  it('reads every address of the site', () => {
    expect(parse('')).toEqual({ page: 'home' })
    expect(parse('#/')).toEqual({ page: 'home' })
    expect(parse('#/new/chess')).toEqual({ page: 'new', game: 'chess' })
    expect(parse('#/table/abc')).toEqual({ page: 'table', table: 'abc' })
    expect(parse('#/join/abc/s-e_c')).toEqual({ page: 'join', table: 'abc', secret: 's-e_c' })
  })
  it('reads what is left of a link that was cut', () => {
    expect(parse('#/join/abc/xyz%')).toEqual({ page: 'join', table: 'abc', secret: 'xyz%' })
    expect(parse('#/table/a%62c')).toEqual({ page: 'table', table: 'abc' })
    expect(parse('#%')).toEqual({ page: 'lost' })
  })
  it('calls everything else lost', () => {
    expect(parse('#/join/abc')).toEqual({ page: 'lost' })
    expect(parse('#/nowhere')).toEqual({ page: 'lost' })
  })
})
