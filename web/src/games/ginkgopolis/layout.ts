/** Where things of the city lie in the world that the camera looks at. */
import type { Box } from './camera'
import type { At, Building, District, View } from './view'

/** A cell is deeper than wide, because what stands on it rises to the north. */
export const WIDE = 100
export const DEEP = 118
/** Where a building stands within its cell, and how deep its roof is. */
const FOOT = 110
const ROOF = 62

export const keyOf = ({ x, y }: At): string => `${x},${y}`

/** A cell with what rises above it. */
export const boxOf = ({ x, y }: At): Box => ({
  left: x * WIDE,
  top: -y * DEEP - 14,
  right: (x + 1) * WIDE,
  bottom: (1 - y) * DEEP,
})

/** How thick a storey is drawn: towers of many storeys have thinner ones, so that they hide nothing behind them. */
export const storey = (height: number): number => Math.min(13, 72 / height)

/** The front and the back edge of a roof, within its cell. */
export function roofOf(height: number): { front: number; back: number } {
  const front = FOOT - height * storey(height)
  return { front, back: front - ROOF }
}

/** The front of a building: storeys of glass, their panes, and the slab on top of each. */
export function frontOf(height: number): { glass: string; panes: string; slabs: string } {
  const thick = storey(height)
  let [glass, panes, slabs] = ['', '', '']
  for (let floor = 0; floor < height; floor++) {
    const top = FOOT - (floor + 1) * thick
    // Every other storey stands back a little.
    const left = floor % 2 ? 12 : 9
    glass += `M${left} ${top}H${WIDE - left}v${thick}H${left}z`
    panes += `M${left + 4} ${top + 3 + (thick - 3) / 2}H${WIDE - left - 3}`
    slabs += `M8 ${top}h84v3.600H8z`
  }
  return { glass, panes, slabs }
}

/** The cell that the arrow key finds: what lies straight ahead comes before what lies aside. */
export function ahead<T extends At>(from: At, cells: T[], dx: number, dy: number): T | undefined {
  let best: T | undefined
  let least = Infinity
  for (const cell of cells) {
    const along = (cell.x - from.x) * dx + (cell.y - from.y) * dy
    if (along <= 0) continue
    const distance = along + 3 * Math.abs((cell.x - from.x) * dy + (cell.y - from.y) * dx)
    if (distance < least) [best, least] = [cell, distance]
  }
  return best
}

/** The outline of some cells with round corners; `inset` pixels inside their edge. Corners that touch do not join. */
export function outline(cells: At[], inset: number, radius: number): string {
  const taken = new Set(cells.map(keyOf))
  const free = (x: number, y: number): boolean => !taken.has(keyOf({ x, y }))
  // Edges run clockwise, the cells on their right hand; rows count downwards.
  const edges = new Map<string, { x: number; row: number; dx: number; dy: number }>()
  const add = (x: number, row: number, dx: number, dy: number): void => {
    edges.set(`${x},${row},${dx},${dy}`, { x, row, dx, dy })
  }
  for (const { x, y } of cells) {
    if (free(x, y + 1)) add(x, -y, 1, 0)
    if (free(x + 1, y)) add(x + 1, -y, 0, 1)
    if (free(x, y - 1)) add(x + 1, 1 - y, -1, 0)
    if (free(x - 1, y)) add(x, 1 - y, 0, -1)
  }
  let path = ''
  for (const [start, first] of edges) {
    if (!edges.delete(start)) continue
    const corners: string[] = []
    let { x, row, dx, dy } = first
    for (;;) {
      x += dx
      row += dy
      // Right, straight on, left.
      const next = [
        [-dy, dx],
        [dx, dy],
        [dy, -dx],
      ].find(
        ([ex, ey]) =>
          edges.has(`${x},${row},${ex},${ey}`) ||
          (first.x === x && first.row === row && first.dx === ex && first.dy === ey),
      )
      const [ex, ey] = next as [number, number]
      if (ex !== dx || ey !== dy) {
        const cx = x * WIDE + inset * (-dy - ey)
        const cy = row * DEEP + inset * (dx + ex)
        const end = `${cx + ex * radius} ${cy + ey * radius}`
        corners.push(`${cx - dx * radius} ${cy - dy * radius}Q${cx} ${cy} ${end}`)
      }
      ;[dx, dy] = [ex, ey]
      if (!edges.delete(`${x},${row},${dx},${dy}`)) break
    }
    path += `M${corners.join('L')}z`
  }
  return path
}

/** What grows between the buildings: a tree where four of them meet or a street ends, grass beside the markers. */
export function green(buildings: At[], markers: At[]): { trees: string; tufts: string } {
  const chance = (x: number, y: number, of: number): number => Math.abs((x * 73 + y * 151 + x * y * 37 + of * 11) % of)
  const round = (x: number, y: number, r: number): string =>
    `M${x - r} ${y}a${r} ${r} 0 1 1 ${2 * r} 0a${r} ${r} 0 1 1-${2 * r} 0z`
  let [trees, tufts] = ['', '']
  for (const { x, y } of buildings) {
    const [left, top] = [x * WIDE, -y * DEEP]
    trees += round(left, top + 8, 5 + chance(x, y, 3)) + round(left + 7, top + 13, 4)
    if (chance(x, y, 5) > 2) trees += round(left + 46 + chance(x, y, 9), top + 7, 5)
  }
  for (const { x, y } of markers)
    for (const at of [1, 2, 3]) {
      const left = x * WIDE + chance(x + at, y, 96)
      const top = -y * DEEP + (at === 1 ? 14 : at === 2 ? 112 : 24) + chance(x, y + at, 7)
      tufts += `M${left} ${top}l-3-7m3 7v-10m0 10l3-7`
    }
  return { trees, tufts }
}

/** A district with the buildings that belong to it; its label hangs on the front of the last, the southernmost one. */
export interface Quarter extends District {
  key: string
  members: Building[]
  last: Building
}

export const quarters = (view: View): Quarter[] =>
  view.districts.map((district) => {
    const members = district.buildings.map((place) => view.buildings[place]!)
    const last = members.reduce((low, one) => (one.y < low.y || (one.y === low.y && one.x > low.x) ? one : low))
    return { ...district, members, last, key: members.map(keyOf).join(' ') }
  })
