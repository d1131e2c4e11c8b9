/** By ear equal cards are told apart by their number: "2/3" is the second of three; empty where there is one. */
export function copies(names: string[]): string[] {
  const seen: Record<string, number> = {}
  const nth = names.map((name) => (seen[name] = (seen[name] ?? 0) + 1))
  return names.map((name, at) => (name && seen[name]! > 1 ? `${nth[at]}/${seen[name]}` : ''))
}
