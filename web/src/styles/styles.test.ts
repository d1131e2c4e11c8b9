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

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.(svelte|css)$/.test(file))
  .map((file) => [file, readFileSync(`src/${file}`, 'utf8')] as const)
const rules = sources.flatMap(([file, text]) => [...rulesOf(file, text)])

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

it('what is pushed apart by a class is a row, or its component says how it stands there', () => {
  const loose = sources.flatMap(([file, text]) =>
    [...text.matchAll(/class="([^"]*\bapart\b[^"]*)"/g)].map(([, names]) => [file, names!.split(' ')] as const),
  )
  const stands = (file: string, names: string[]): boolean =>
    rules.some((rule) => rule.file === file && rule.says.has('align-items') && names.includes(rule.of.slice(1)))
  expect(loose.length).toBeGreaterThan(10)
  expect(loose.filter(([file, names]) => !names.includes('in-row') && !stands(file, names))).toEqual([])
})

it('no component calls something of its own as a utility is called', () => {
  const names = rules.filter(({ file }) => file.endsWith('utilities.css')).map(({ of }) => of.slice(1))
  expect(names.length).toBeGreaterThan(20)
  const own = rules.filter(
    ({ file, of }) => file.endsWith('.svelte') && names.some((name) => new RegExp(`\\.${name}(?![\\w-])`).test(of)),
  )
  expect(own.map(({ file, of }) => `${file}: ${of}`)).toEqual([])
})

it('a row of a list, a field and a link are as high as a finger, and not as two', () => {
  const high = ({ of, says }: Rule): boolean =>
    /\b(li|a|input|label|select|summary)$/.test(of) && parseFloat(says.get('min-height') ?? '') > 60
  expect(wrong(high)).toEqual([])
})
