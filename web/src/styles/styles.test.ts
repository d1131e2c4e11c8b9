/** What a slip of the hand in a style sheet breaks, and no test would see that does not draw. */
import { readFileSync, readdirSync } from 'node:fs'
import { expect, it } from 'vitest'

interface Rule {
  file: string
  of: string
  says: Map<string, string>
}

/** Every rule of a style sheet, those inside of queries too. */
function* rulesOf(file: string, text: string): Generator<Rule> {
  const styles = file.endsWith('.css')
    ? [text]
    : [...text.matchAll(/<style[^>]*>(.*?)<\/style>/gs)].map(([, one]) => one!)
  for (const [, of, body] of styles
    .join('\n')
    .replace(/\/\*.*?\*\//gs, '')
    .matchAll(/([^{};]+)\{([^{}]*)\}/g))
    yield {
      file,
      of: of!.trim(),
      says: new Map([...body!.matchAll(/([\w-]+):\s*([^;]+);/g)].map(([, a, b]) => [a!, b!])),
    }
}

const rules = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.(svelte|css)$/.test(file))
  .flatMap((file) => [...rulesOf(file, readFileSync(`src/${file}`, 'utf8'))])

/** The rules that something is wrong with, in words. */
const wrong = (is: (rule: Rule) => boolean): string[] =>
  rules
    .filter((rule) => is(rule))
    .map(({ file, of, says }) => `${file}: ${of} { ${[...says].map((one) => one.join(': ')).join('; ')} }`)

it('reads all of them', () => expect(rules.length).toBeGreaterThan(1500))

it('nothing is larger than what it is in', () => {
  const larger = (text = ''): boolean => [...text.matchAll(/([\d.]+)%/g)].some(([, part]) => Number(part) > 100)
  expect(wrong(({ says }) => larger(says.get('width')) || larger(says.get('height')))).toEqual([])
})

it('what is pushed to both ends of a row says how it stands there', () => {
  // In a row of tools all are buttons of one height, and each byte there comes with the first page.
  const row = ({ of, says }: Rule): boolean =>
    says.get('display') === 'flex' && says.get('flex-direction') !== 'column' && !of.endsWith('.tools')
  expect(
    wrong((rule) => row(rule) && rule.says.get('justify-content') === 'space-between' && !rule.says.has('align-items')),
  ).toEqual([])
})

it('a row of a list, a field and a link are as high as a finger, and not as two', () => {
  const high = ({ of, says }: Rule): boolean =>
    /\b(li|a|input|label|select|summary)$/.test(of) && parseFloat(says.get('min-height') ?? '') > 60
  expect(wrong(high)).toEqual([])
})
