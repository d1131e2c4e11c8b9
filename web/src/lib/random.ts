/** One of them, each as likely as any other: numbers that would favour one are drawn again. */
export function draw<T>(among: T[], random: () => number = () => crypto.getRandomValues(new Uint32Array(1))[0]!): T {
  const fair = 2 ** 32 - (2 ** 32 % among.length)
  for (;;) {
    const number = random()
    if (number < fair) return among[number % among.length]!
  }
}
