import { describe, expect, it, vi } from 'vitest'

vi.stubGlobal('location', { hash: '' })
vi.stubGlobal('addEventListener', () => undefined)
const { parse } = await import('./router.svelte')

describe('parse', () => {
  it('reads every address of the site', () => {
    expect(parse('')).toEqual({ page: 'home' })
    expect(parse('#/')).toEqual({ page: 'home' })
    expect(parse('#/table/abc')).toEqual({ page: 'table', table: 'abc', secret: '' })
    expect(parse('#/table/abc/s-e_c')).toEqual({ page: 'table', table: 'abc', secret: 's-e_c' })
    expect(parse('#/screen/abc/s-e_c')).toEqual({ page: 'screen', table: 'abc', secret: 's-e_c' })
    expect(parse('#/new/chess')).toEqual({ page: 'new', game: 'chess', whom: '' })
    expect(parse('#/new/chess/played.a-b_c%2Cplayed.d')).toEqual({
      page: 'new',
      game: 'chess',
      whom: 'played.a-b_c,played.d',
    })
    expect(parse('#/host')).toEqual({ page: 'host', token: '' })
    expect(parse('#/host/s-e_c')).toEqual({ page: 'host', token: 's-e_c' })
    expect(parse('#/people')).toEqual({ page: 'people' })
    expect(parse('#/group/abc')).toEqual({ page: 'group', group: 'abc', secret: '' })
    expect(parse('#/group/abc/s-e_c')).toEqual({ page: 'group', group: 'abc', secret: 's-e_c' })
    expect(parse('#/join/abc/s-e_c')).toEqual({ page: 'join', table: 'abc', secret: 's-e_c' })
  })
  it('reads what is left of a link that was cut', () => {
    expect(parse('#/join/abc/xyz%')).toEqual({ page: 'join', table: 'abc', secret: 'xyz%' })
    expect(parse('#/table/a%62c')).toEqual({ page: 'table', table: 'abc', secret: '' })
    expect(parse('#%')).toEqual({ page: 'lost' })
  })
  it('calls everything else lost', () => {
    expect(parse('#/join/abc')).toEqual({ page: 'lost' })
    expect(parse('#/nowhere')).toEqual({ page: 'lost' })
  })
})
