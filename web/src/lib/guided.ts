/** Which table is a guided first game: this browser alone knows (`guide.ts` begins one). */
export const GUIDED = 'ziggurat.guided'

export function guided(): string | null {
  try {
    return localStorage.getItem(GUIDED)
  } catch {
    return null // a private window may refuse
  }
}
