/** Whose seat the host has freed: the page of the invitation says so. */
let table = ''

export function unseat(id: string): void {
  table = id
}

/** Whether a seat at this table was freed a moment ago; it is said once. */
export function wasUnseated(id: string): boolean {
  const was = table === id
  table = ''
  return was
}
