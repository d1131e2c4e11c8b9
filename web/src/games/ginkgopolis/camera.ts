/** Where one looks at the city from: a point of the world lies on the screen at its place times `z`, moved by x and y. */
export interface Camera {
  x: number
  y: number
  z: number
}

export interface Point {
  x: number
  y: number
}

interface Size {
  width: number
  height: number
}

/** A part of the world. */
export interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

interface Limits {
  least: number
  most: number
}

const between = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most)

export const transform = ({ x, y, z }: Camera): string => `translate(${x.toFixed(2)}px,${y.toFixed(2)}px) scale(${z})`

/** The smallest box around some. */
export const around = (boxes: Box[]): Box => ({
  left: Math.min(...boxes.map(({ left }) => left)),
  top: Math.min(...boxes.map(({ top }) => top)),
  right: Math.max(...boxes.map(({ right }) => right)),
  bottom: Math.max(...boxes.map(({ bottom }) => bottom)),
})

/** The zoom at which a box just fits, with a margin in pixels of the screen. */
export function fitting(box: Box, size: Size, margin: number): number {
  const wide = Math.max(1, size.width - 2 * margin) / Math.max(1, box.right - box.left)
  const high = Math.max(1, size.height - 2 * margin) / Math.max(1, box.bottom - box.top)
  return Math.min(wide, high)
}

/** Looks at the middle of a box, from as near as it fits. */
export function fit(box: Box, size: Size, { least, most }: Limits, margin = 0): Camera {
  const z = between(fitting(box, size, margin), least, most)
  return {
    x: size.width / 2 - ((box.left + box.right) / 2) * z,
    y: size.height / 2 - ((box.top + box.bottom) / 2) * z,
    z,
  }
}

/** Nearer or farther by a factor, while what lies under a point of the screen stays there. */
export function zoomAt(camera: Camera, at: Point, factor: number, { least, most }: Limits): Camera {
  const z = between(camera.z * factor, least, most)
  const real = z / camera.z
  return { x: at.x - (at.x - camera.x) * real, y: at.y - (at.y - camera.y) * real, z }
}

export const pan = (camera: Camera, dx: number, dy: number): Camera => ({
  ...camera,
  x: camera.x + dx,
  y: camera.y + dy,
})

/** Two fingers: what lay under each of them stays there as far as a zoom without a turn can do it. */
export function pinch(camera: Camera, from: [Point, Point], to: [Point, Point], limits: Limits): Camera {
  const middle = ([one, other]: [Point, Point]): Point => ({ x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 })
  const apart = ([one, other]: [Point, Point]): number => Math.max(1, Math.hypot(one.x - other.x, one.y - other.y))
  const [old, now] = [middle(from), middle(to)]
  return zoomAt(pan(camera, now.x - old.x, now.y - old.y), now, apart(to) / apart(from), limits)
}

/** The middle of the screen never leaves the city. */
export function clamp(camera: Camera, box: Box, size: Size): Camera {
  const [middleX, middleY] = [size.width / 2, size.height / 2]
  return {
    x: between(camera.x, middleX - box.right * camera.z, middleX - box.left * camera.z),
    y: between(camera.y, middleY - box.bottom * camera.z, middleY - box.top * camera.z),
    z: camera.z,
  }
}

/** The shortest move that brings a box into sight; from farther away if it is too large. Null: it is in sight. */
export function frame(camera: Camera, box: Box, size: Size, limits: Limits, margin = 0): Camera | null {
  let next = camera
  const most = Math.max(limits.least, fitting(box, size, margin))
  if (camera.z > most) {
    const at = { x: size.width / 2, y: size.height / 2 }
    next = zoomAt(camera, at, most / camera.z, limits)
  }
  const shift = (from: number, to: number, room: number): number => {
    const spare = Math.min(margin, Math.max(0, (room - (to - from)) / 2))
    if (to - from > room) return (room - from - to) / 2
    return from < spare ? spare - from : to > room - spare ? room - spare - to : 0
  }
  const dx = shift(box.left * next.z + next.x, box.right * next.z + next.x, size.width)
  const dy = shift(box.top * next.z + next.y, box.bottom * next.z + next.y, size.height)
  return next === camera && dx === 0 && dy === 0 ? null : pan(next, dx, dy)
}
