/** What the server shows of this game, and what is read from it. */
import type { Building, BuildingKind, Currency, Money, Owner, Round } from './wire'

export const ROUNDS: Round[] = ['A', 'B', 'C']

export function building(token: string): Building {
  const [kind = '', price = '0'] = token.split(' ')
  return { kind: kind as BuildingKind, price: Number(price) }
}

export function money(token: string): Money {
  const [currency = '', value = '0'] = token.split(' ')
  return { currency: currency as Currency, value: Number(value) }
}

/** Who owns the most of a kind: alone, or together with others. */
export function majority(owners: Owner[], owner: Owner, kind: BuildingKind): 'alone' | 'tied' | null {
  const own = owner.buildings[kind] ?? 0
  const most = Math.max(...owners.map((one) => one.buildings[kind] ?? 0))
  if (own === 0 || own < most) return null
  return owners.filter((one) => (one.buildings[kind] ?? 0) === most).length > 1 ? 'tied' : 'alone'
}
