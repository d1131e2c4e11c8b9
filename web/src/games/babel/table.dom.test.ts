import { expect, test } from 'vitest'
import {
  all,
  bar,
  byKeys,
  find,
  keyOf,
  nameOf,
  press,
  settled,
  sit,
  strike,
  the,
  until,
  words,
} from '../../testing/page'
import { tape, type Tape } from '../../testing/tape'

const opened = (story: string): Tape => tape(story, 'babel')
const log = (): string[] => all('listitem', undefined, the('region', 'What happened')).map(words)
const disc = (): HTMLElement => the('button', 'Choose the disc of 5 ships at the Statue of Zeus')
const hand = (card: string): HTMLElement =>
  the('button', new RegExp(`^\\d × ${card}(, fits)?$`), the('region', 'Your hand'))
const ways = (): HTMLElement[] => all('button', /^You accept/)
/** What stands beside the disc, once one's own offer is made. */
const BUILDS = /[A-Z][a-zé]+ builds: \d .* · /
const isPressed = (one: Element): boolean => one.getAttribute('aria-pressed') === 'true'

test('a disc is chosen; passing has a key of its own, and Enter alone never passes', async () => {
  const told = opened('turn')
  await sit(told)
  await press(disc())
  expect(bar.deeds).toEqual(['Take back', 'Build this'])
  await press(the('button', 'Take back'))
  await strike('Shift')
  const pass = await until(() => all('button', 'Pass', bar.element).find((one) => keyOf(one)))
  bar.element.focus()
  for (let times = 0; times < 2; times++) await strike('Enter')
  expect([bar.deeds, told.sent]).toEqual([['Pass'], []])
  await strike(keyOf(pass))
  const { action } = told.state.decision.legal.find(({ type }) => type === 'pass')!
  expect(told.sent).toEqual([{ type: 'move', id: '', seq: 4, steps: [action] }])
})

test('cards are offered, and laid back', async () => {
  const told = opened('offering')
  await sit(told)
  expect(bar.deeds).toEqual(['Offer nothing'])
  await press(hand('camel'))
  expect(bar.deeds).toEqual(['Take back', 'Offer 1 card', 'With the trade card'])
  expect(nameOf(hand('camel'))).toBe('1 × camel')
  await press(all('button', /camel/, the('region', 'Your hand')).find(isPressed)!)
  expect(nameOf(hand('camel'))).toBe('2 × camel')
  for (let times = 0; times < 2; times++) await press(hand('camel'))
  await press(the('button', 'Offer 2 cards'))
  expect(told.sent.at(-1)).toEqual(told.moves[0])
  expect(bar.says).toContain('Waiting for')
  expect(words(bar.element)).toMatch(BUILDS)
})

test('who looks on reads who builds, all the time', async () => {
  const asksNothing = (key: string, value: unknown): unknown =>
    key === 'legal' || key === 'refusals' ? [] : key === 'you' && typeof value === 'number' ? null : value
  await sit(tape('offering', 'babel', (text) => JSON.stringify(JSON.parse(text, asksNothing))))
  expect(words(bar.element)).toMatch(BUILDS)
})

test('by keys the last card of a kind is lifted, and the focus goes with it', async () => {
  await sit(opened('offering'))
  await strike('Shift')
  await until(() => keyOf(hand('camel')))
  for (let times = 0; times < 2; times++) {
    hand('camel').focus()
    await strike('Enter')
  }
  const at = document.activeElement!
  expect([nameOf(at), isPressed(at)]).toEqual(['Your offer: 2 × camel', true])
})

test('a way to build that is shown comes out of the others', async () => {
  await sit(opened('selecting'))
  await until(ways, 'ways to build')
  const more = the('button', 'More ways')
  const row = ways().at(-1)!.closest('li')!
  row.dispatchEvent(new Event('bring', { bubbles: true }))
  await settled()
  expect(isPressed(more)).toBe(false)
  row.getClientRects = () => [] as never // in a small window it is not drawn
  row.dispatchEvent(new Event('bring', { bubbles: true }))
  await until(() => isPressed(more))
})

test('a lifted trade card goes with whatever is offered', async () => {
  const told = opened('offering')
  await sit(told)
  await press(hand('camel'))
  const trade = (): HTMLElement => the('button', 'Trade card', the('region', 'Your hand'))
  await press(trade())
  expect([isPressed(trade()), bar.deeds]).toEqual([true, ['Take back', 'With the trade card']])
  await press(trade())
  expect(bar.deeds).toEqual(['Take back', 'Offer 1 card', 'With the trade card'])
})

test('who looks at a phone reads who builds, in the question and in the strip', async () => {
  await sit(opened('offering'))
  expect(bar.says).toMatch(/^[^ ]+ builds: what do you offer/)
  const builder = bar.says.split(' ')[0]!
  expect(words(find('[aria-haspopup=dialog]'))).toContain(`▸ ${builder}`)
})

test('whose offers are accepted is chosen among the ways to build', async () => {
  const told = opened('selecting')
  await sit(told)
  expect(ways()).toHaveLength(6)
  await press(the('button', /^You accept the offer of Béla\. You add 3 ships/))
  expect(bar.deeds).toEqual(['Take back', 'Build it this way'])
  // A second press builds nothing.
  await press(the('button', /^You accept the offer of Béla\. You add 3 ships/))
  expect([bar.deeds.includes('Build it this way'), told.sent]).toEqual([false, []])
  await press(the('button', /^You accept the offer of Béla\. You add 3 ships/))
  await press(the('button', 'Build it this way'))
  expect(told.sent.at(-1)).toEqual(told.moves[0])
  expect(log()).toContain('Dora, offer not accepted (2 cards): 2 points.')
})

test('an action card that can be played stands in the bar', async () => {
  const told = opened('exchanging')
  await sit(told)
  await press(the('button', 'Exchange', bar.element))
  expect(bar.says).toMatch(/^Exchange: Discard up to 5 building cards/)
  await press(the('button', 'Play Exchange'))
  expect(bar.says).toBe('You exchange no card yet, of at most 5.')
  await press(hand('camel'))
  await press(the('button', 'Exchange 1 card'))
  expect(told.sent.at(-1)).toEqual(told.moves[0])
})

test('the button of a move is no piece: who asks what it is asks about the whole board', async () => {
  const told = opened('turn')
  await sit(told)
  find('main button[data-what=""]')!.focus()
  await strike('w')
  const asked = await until(() => told.said.find(({ type }) => type === 'about'))
  expect(asked).toMatchObject({ pieces: expect.arrayContaining(['seat 1', 'site zeus', 'deck', 'hand ship']) })
})

test.each<[string, ...(() => HTMLElement)[]]>([
  ['turn', disc],
  ['offering', () => hand('camel'), () => hand('camel')],
  ['selecting', () => the('button', /^You accept the offer of Béla\. /)],
])('%s: by keys, one for each thing and one that confirms', async (story, ...things) => {
  const told = opened(story)
  await sit(told)
  await byKeys(...things)
  expect(told.sent.at(-1)).toEqual(told.moves[0])
})
