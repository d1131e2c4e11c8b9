/** Outlines of the architecture, shared by the pictures: arches, merlons, trees. */
export { arch, cypress } from '../../art/outlines'

/** The horseshoe: more than half a circle around (x, y). */
export const horseshoe = (x: number, y: number, r: number): string =>
  `M${x - 0.8 * r} ${y + 0.6 * r}A${r} ${r} 0 1 1 ${x + 0.8 * r} ${y + 0.6 * r}`

/** A horseshoe opening that stands on `base`. */
export const door = (x: number, y: number, r: number, base: number): string =>
  `${horseshoe(x, y, r)}V${base}H${x - 0.8 * r}z`

/** A row of capped merlons along the top of a wall, from x to x + count * step. */
export const merlons = (x: number, y: number, count: number, step: number, height: number): string => {
  const w = step * 0.56
  const one = `v${-height}l${w / 2} ${-height * 0.55}l${w / 2} ${height * 0.55}v${height}`
  return `M${x} ${y}${`${one}h${step - w}`.repeat(count)}v3H${x}z`
}

/** The eight-pointed star: two squares, one turned. */
export const star = (x: number, y: number, r: number): string => {
  const points = Array.from({ length: 16 }, (_, at) => {
    const radius = at % 2 === 0 ? r : r * 0.765
    const turn = (at / 16) * 2 * Math.PI
    return `${(x + radius * Math.cos(turn)).toFixed(1)} ${(y + radius * Math.sin(turn)).toFixed(1)}`
  })
  return `M${points.join('L')}z`
}
