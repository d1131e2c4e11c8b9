/** What this browser remembers. Private windows may refuse to: then nothing is remembered, and all goes on without. */

/** What is written under a name, as it is. */
export function written(name: string): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

/** Writes something under a name, or takes away what was there; returns whether the browser let it. */
export function write(name: string, text: string | null): boolean {
  try {
    if (text === null) localStorage.removeItem(name)
    else localStorage.setItem(name, text)
    return true
  } catch {
    return false
  }
}

/** What was kept under a name, or something else where there is nothing that can be read. */
export function recall<T>(name: string, otherwise: T): T {
  try {
    return (JSON.parse(written(name) ?? 'null') as T | null) ?? otherwise
  } catch {
    return otherwise
  }
}

export const keep = (name: string, value: unknown): boolean => write(name, JSON.stringify(value))
