/** Which table is the tutorial: this browser alone knows (`tutorial.ts` begins one). */
export const TUTORIAL = 'ziggurat.guided'

export function tutorialTable(): string | null {
  try {
    return localStorage.getItem(TUTORIAL)
  } catch {
    return null // a private window may refuse
  }
}
