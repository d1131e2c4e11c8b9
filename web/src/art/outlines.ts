/** Outlines of architecture that more than one game draws with. */

/** A round-headed opening around x, from `top` down to `base`. */
export const arch = (x: number, top: number, width: number, base: number): string => {
  const r = width / 2
  return `M${x - r} ${base}V${top + r}a${r} ${r} 0 0 1 ${width} 0V${base}z`
}

export const cypress = (x: number, base: number, height: number, half = height / 7): string =>
  `M${x} ${base - height}c${half} ${height * 0.28} ${half * 1.5} ${height * 0.55} ${half} ${height * 0.82}q${-half} ${height * 0.2} ${-2 * half} 0c${-half * 0.5} ${-height * 0.27} 0 ${-height * 0.54} ${half} ${-height * 0.82}z`
