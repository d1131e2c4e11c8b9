import { expect, test, vi } from 'vitest'
import type { Choice } from '../../lib/wire'
import { all, bar, byKeys, nameOf, press, settled, sit, stops, strike, the, until, words } from '../../testing/page'
import { tape, type Tape } from '../../testing/tape'
import type { Card, View } from './view'

const opened = (story: string): Tape => tape(story, 'ginkgopolis')
const log = (): string[] => all('listitem', undefined, the('region', 'What happened')).map(words)
const alerts = (): string[] => all('alert').map(words)
const city = (): HTMLElement => the('group', 'The city')
const hand = (): HTMLElement => the('region', 'Your hand')
const uses = (): HTMLElement => the('region', 'What would happen')
const own = (): string => words(the('region', 'Your cards on the table'))
const named = (within: HTMLElement): string[] => all('button', undefined, within).map(nameOf)
const card = (name: string): HTMLElement => the('button', new RegExp(`^${name}(\\.|$)`), hand())
const tile = (name: string): HTMLElement => the('button', new RegExp(`^Tile ${name}(,|$)`), hand())
const cell = (name: string): HTMLElement => the('button', new RegExp(`^${name}(,|;|$)`), city())
const goals = (): HTMLElement[] => all('button', /Move marker|makes room/, city())
const offered = (): HTMLElement[] => all('button', /begins with/)
const isPressed = (one: Element): boolean => one.getAttribute('aria-pressed') === 'true'
/** What lies before another one, and what is known of their hand. */
const before = (who: string): string[] => all('img', undefined, the('group', who)).map(nameOf)
const ASKED = 'Choose a card, alone or with one of your tiles.'

test('what is refused says why, and what a card names is chosen in the city too', async () => {
  await sit(opened('playing'))
  await press(tile('red 16'))
  expect(alerts()).toEqual(['Choose a card first, then the tile for it.'])
  const told: Record<string, number> = {}
  for (const one of all('button', /^(Marker|Red|Yellow|Blue)(?!.*In your hand)/, city())) {
    await press(one)
    const why = [...[/^Marker/, /recently/].map((what) => what.test(nameOf(one))), ...alerts()]
    told[why.join()] = (told[why.join()] ?? 0) + 1
  }
  expect(told).toEqual({
    'true,false,None of your cards names this marker.': 10,
    'false,false,None of your cards names this building.': 12,
    'false,true,The card of this building is not in the deck yet.': 2,
  })
  for (const name of ['red 5', 'blue 8', 'card C', 'card K']) {
    card(name).dispatchEvent(new PointerEvent('pointerenter', { pointerType: 'mouse' }))
    await until(() => all('heading', name).length)
    card(name).dispatchEvent(new PointerEvent('pointerleave'))
    await press(the('button', new RegExp(`In your hand: ${name}$`), city()))
    expect([alerts(), isPressed(card(name))]).toEqual([[], true])
  }
  await press(cell('Marker K'))
  expect([bar.says, bar.deeds, isPressed(card('card K'))]).toEqual([ASKED, [], false])
})

test('what a card would do is said before, and told afterwards; then there are two new hands', async () => {
  const told = opened('playing')
  await sit(told)
  await press(card('blue 8'))
  await until(() => all('region', 'What would happen').length)
  expect(named(uses())).toEqual([
    'Alone, Exploit, you get 2 tiles, 1 point',
    'With red 16, Construct, you pay 4 resources, you get 1 resource',
    'With yellow 2, cannot be paid',
  ])
  expect(named(the('group', 'Your tiles'))).toEqual([
    'Alone',
    'Tile red 16, Construct',
    'Tile yellow 2, cannot be paid',
  ])
  await press(tile('yellow 2'))
  expect(bar.says).toContain('You cannot pay for this now.')
  expect(bar.deeds).toEqual(['Take back', 'Play blue 8 with yellow 2'])
  await press(the('button', 'Take back'))
  await press(card('blue 8'))
  await press(the('button', /^With red 16/, uses()))
  expect(bar.says).toBe(
    '2 of your resources come back; you place 3 resources; 1 resource for the other colour; your cards add 1 resource.',
  )
  await press(the('button', 'Construct', bar.element))
  expect(bar.says).toBe('Your card is face down. The others are still choosing. Waiting for Béla.')
  await press(card('red 5'))
  expect(alerts()).toEqual(['Your card is already face down.'])

  told.happen('Béla: card blue 5 > alone')
  await until(() => bar.says === ASKED)
  expect(log()).toEqual(
    expect.arrayContaining([
      'Ada constructs: red 16 on blue 8, now 3 storeys. The other colour costs 1 resource.',
      'Béla exploits blue 5.',
    ]),
  )
  expect(nameOf(cell('Red 16'))).toMatch(/^Red 16, 3 storeys, owner: Ada; Built recently/)
  expect(own()).toMatch(/3 resources behind the screen, 10 in the supply.* 3 points .*Urbanize .*2 tiles, 1 point/)

  for (const [left, cards] of [
    [1, ['red 9', 'yellow 10', 'yellow 12', 'blue 4']],
    [0, ['red 6', 'yellow 7', 'card F', 'card L']],
  ] as const) {
    for (const again of [true, false]) {
      await press(the('button', `New hand ${left + 1}`))
      expect([bar.says, bar.deeds]).toEqual([
        'Give up a token, discard your four cards and draw four others. Unused tokens give points at the end.',
        ['Take back', 'Take a new hand'],
      ])
      if (again) await press(the('button', 'Take back'))
    }
    await press(the('button', 'Take a new hand'))
    // The other token is not offered at once.
    expect([bar.says, bar.deeds]).toEqual([ASKED, ['Undo my move']])
    expect(named(hand()).map((name) => name.split('.')[0])).toEqual([...cards, `New hand ${left}`, 'Tile yellow 2'])
    expect(log()).toContain(`Ada discards a hand and draws a new one. New-hand tokens left: ${left}.`)
  }
  expect(told.sent.filter((one) => (one as Choice).type === 'move')).toEqual(told.moves)
  await press(the('button', 'New hand 0'))
  expect(alerts()).toEqual(['You have no new-hand token left.'])
})

test('what lies face down is said to lie there, what is shown is named, and what was passed is remembered', async () => {
  const told = opened('secrets')
  await sit(told)
  expect(before('Béla')).toEqual(['still choosing'])
  expect((told.state.view as View).builders[1]).toMatchObject({ hand: null, tiles: null, points: null, draft: null })
  told.happen('Béla: card B > tile blue 15')
  await until(() => before('Béla').join() === 'a card and a tile face down')
  expect(bar.says).toBe(ASKED)
  await press(card('card D'))
  await press(tile('red 16'))
  await press(the('button', 'Urbanize', bar.element))
  expect(before('Béla')).toEqual(['a card and a tile face down'])
  // Of Béla's tiles nothing has been told, and nothing is on the page.
  const heard = JSON.stringify(told.exchanges.slice(0, -2).map(({ hears }) => hears))
  expect(heard + document.body.innerHTML).not.toMatch(/blue 15|red 18/)
  await press(goals()[0]!)
  await press(the('button', 'Move the marker here'))
  expect(before('Béla')).toEqual(['played last: card B, with blue 15'])
  told.happen('Béla: move north')
  await until(() => bar.says === ASKED)
  expect(before('Béla')).toEqual(['you know: card A, card E and card I', 'played last: card B, with blue 15'])
  expect(nameOf(cell('Red 16'))).toMatch(/^Red 16, 1 storey, owner: Ada; Built recently/)
})

test('a hint is asked for until it comes, stays while its question does, is the same again, and is played', async () => {
  const told = opened('secrets')
  const { decision, table } = told.state
  table.hints = true
  const chosen = (decision.legal as Card[]).find((one) => one.card === 'D')!
  const steps = [chosen, chosen.uses.find((use) => use.tile === 'red 16')!.step!]
  const move = { notation: '', words: { key: 'move.card', args: { card: 'D' } }, steps }
  const advice = { move, chances: [0.61, 0.39], games: 100, why: [] }
  told.replies({ type: 'hint', seq: 3 }, { type: 'error', id: '', code: 'not_ready', detail: '', args: {} })
  for (const seq of [3, 4]) told.replies({ type: 'hint', seq }, { type: 'hint', id: '', seq, advice })
  const answer = 'A Master would do this: play card D. Your chance of winning is then about 61%.'
  let again = (): void => {}
  const later = setTimeout
  vi.stubGlobal('setTimeout', (run: () => void, soon = 0) => (soon === 3000 ? (again = run) : later(run, soon)))
  await sit(told)
  await press(await until(() => all('button', 'What would a Master do?')[0]))
  await until(() => bar.says.includes('The adviser is still getting ready.'))
  again()
  await until(() => bar.deeds.includes('Play this'))
  expect(bar.says).toContain(answer)
  told.happen('Béla: card B > tile blue 15')
  await until(() => before('Béla').join() === 'a card and a tile face down')
  expect(bar.says).toContain(answer)
  await press(the('button', 'No, thanks'))
  expect(bar.says).toBe(ASKED)
  await press(the('button', 'What would a Master do?'))
  expect(bar.says).toContain(answer)
  await press(the('button', 'Play this'))
  expect(told.sent.at(-1)).toEqual(told.moves[0])
  expect(bar.deeds).not.toContain('Play this')
})

test('a marker goes to a free cell, which is touched twice', async () => {
  const told = opened('marker')
  await sit(told)
  expect(bar.says).toBe('Where does marker A go? Choose a free cell beside the new building.')
  await press(cell('Marker B'))
  expect(alerts()).toEqual(['This cell is not free.'])
  await press(goals()[0]!)
  expect(bar.deeds).toEqual(['Take back', 'Move the marker here'])
  await press(goals()[0]!)
  expect(told.sent).toEqual(told.moves)
  expect(log()).toContain('Ada moves marker A.')
})

test('where no cell is free for a marker, another one makes room', async () => {
  const told = opened('shift')
  await sit(told)
  expect(bar.says).toMatch(/^There is no free place for marker B .* Which of the two makes room\?$/)
  expect(goals().map(nameOf)).toEqual([
    'Marker C; In your hand: card C; Marker C makes room',
    'Marker A; Marker A makes room',
  ])
  for (const again of [true, false]) {
    await press(goals()[1]!)
    expect(bar.deeds).toEqual(['Take back', 'This marker makes room'])
    if (again) await press(the('button', 'Take back'))
  }
  await press(the('button', 'This marker makes room'))
  expect(log().at(-1)).toBe('Ada shifts marker A to make room.')
  // There is one place for marker B now, to which the server moves it.
  expect(bar.says).toBe('No cell beside the new building is free. Choose another place at the edge for marker B.')
  expect(goals()).toHaveLength(1)
  expect(told.sent).toEqual(told.moves)
})

test('tiles are given back when they have run out, and one is kept after all', async () => {
  const told = opened('returning')
  await sit(told)
  expect([bar.says, bar.deeds]).toEqual([
    'The tiles have run out. Which of yours do you give back? You get 1 point for each.',
    ['Give nothing back'],
  ])
  for (const one of ['red 5', 'red 7', 'blue 14', 'red 5']) await press(tile(one))
  expect(['red 5', 'red 7', 'blue 14'].map((one) => isPressed(tile(one)))).toEqual([false, true, true])
  expect([bar.says, bar.deeds]).toEqual([
    'You give back 2 tiles: 2 points.',
    ['Take back', 'Give back 2 tiles: 2 points'],
  ])
  await press(the('button', /^Give back/))
  expect(told.sent.at(-1)).toEqual(told.moves[0])
  told.happen('Béla: done')
  await until(() => log().includes('Ada gives back 2 tiles: 2 points.'))
  expect(log()).toContain('The tiles have run out.')
})

test('characters are drafted, and stand on the table', async () => {
  const told = opened('drafting')
  await sit(told)
  await until(() => offered().length === 3)
  await press(offered()[2]!)
  expect([bar.deeds, isPressed(offered()[2]!)]).toEqual([['Take back', 'Keep this character'], true])
  expect(nameOf(offered()[2]!)).toMatch(/^Biourbanist whenever you Exploit 1 point/)
  await press(the('button', 'Keep this character'))
  expect(told.sent).toEqual(told.moves)
  await press(the('button', 'Your cards on the table'))
  await until(() => all('dialog', 'Ada').length)
  await settled()
  expect(words(the('dialog', 'Ada'))).toContain('Biotechnician')
})

test.each([
  ['lost', 'Hal wins this time.', ['Hal 0 0 16 16', 'Ada 6 0 0 6']],
  ['alone', 'You have beaten Hal.', ['Ada 6 6 12 24', 'Hal 0 0 12 12']],
])('%s: who has won is said, and where all points come from', async (story, verdict, points) => {
  const told = opened(story)
  await sit(told)
  await press(card('red 5'))
  await press(the('button', 'Exploit', bar.element))
  const end = await until(() => all('dialog', 'The game is over')[0])
  expect([bar.says, told.sent.at(-1)]).toEqual(['The game is over.', told.moves[0]])
  await until(() => words(end).includes('With equal points Hal wins.'))
  expect(words(end)).toContain(verdict)
  const rows = all('row', undefined, end).map((row) => [...row.children].map(words).join(' '))
  expect(rows.slice(1)).toEqual(points)
  // District by district, and card by card.
  const listed = (title: string): string => all('region', title, end).map(words).join()
  for (const row of points) {
    const [who, , cards, districts] = row.split(' ')
    for (const [title, all] of Object.entries({ 'Cards that count at the end': cards, Districts: districts })) {
      const earned = [...listed(title).matchAll(new RegExp(`${who}[^+]*\\+(\\d+)`, 'g'))].map(([, n]) => Number(n))
      expect([row, title, earned.reduce((sum, n) => sum + n, 0)]).toEqual([row, title, Number(all)])
    }
  }
})

test('districts, and who leads there, are shown and hidden', async () => {
  await sit(opened('playing'))
  const inside = (): string[] => named(city()).filter((name) => name.includes(' district'))
  await press(await until(() => all('button', 'Show districts')[0]))
  const places: Record<string, string[]> = {}
  for (const name of inside()) (places[name.split(' district; ')[1]!] ??= []).push(name.split(',')[0]!)
  expect(places).toEqual({
    'Béla leads, 5 points': ['Red 6', 'Red 9', 'Red 5'],
    'Ada leads, 6 points': ['Blue 8', 'Blue 4', 'Blue 11'],
    'Béla leads, 3 points': ['Red 7', 'Red 13', 'Red 8'],
    'Ada leads, 2 points': ['Yellow 12', 'Yellow 4', 'Yellow 6'],
  })
  const listed = all('listitem', undefined, the('region', 'Districts')).map(words)
  expect(listed).toHaveLength(4)
  expect(listed[0]).toContain('Béla: 3 resources, 5 points 3 → 5 Ada: 2 resources, 2 points 2 → 2')
  await press(the('button', 'Hide districts'))
  expect(inside()).toEqual([])
})

test('for two of one name who are gone a bot can play, for each of them', async () => {
  const told = opened('drafting')
  const { table } = told.state
  Object.assign(table, { actors: [1, 2], patience: 0 })
  for (const seat of [1, 2]) Object.assign(table.seats[seat]!, { name: 'Béla', online: false })
  await sit(told)
  await until(() => bar.deeds.length)
  expect(bar.deeds).toEqual(['Let a bot play for Béla (Seat 2)', 'Let a bot play for Béla (Seat 3)'])
})

test('by keys: the arrows walk through the city, and what they come to is named and chosen', async () => {
  await sit(opened('playing'))
  cell('Marker B').focus()
  const way = []
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown', 'ArrowLeft']) {
    await strike(key)
    way.push(nameOf(document.activeElement!).replace(/,.*?;/, ';'))
  }
  expect(way).toEqual([
    'Marker C; In your hand: card C',
    'Marker D',
    "Blue 4, 1 storey, nobody's",
    'Blue 8; In your hand: blue 8',
  ])
  await until(() => all('heading', 'blue 8').length)
  // The city is one stop, at which one has been.
  expect(
    stops(city())
      .map(nameOf)
      .filter((one) => !/Zoom|Show/.test(one)),
  ).toEqual([nameOf(cell('Blue 8'))])
  await strike('Enter')
  expect([bar.says, isPressed(card('blue 8'))]).toEqual(['Add a tile to blue 8, or play the card alone.', true])
  expect(document.activeElement).toBe(cell('Blue 8'))
  await strike('Escape')
  expect([bar.says, isPressed(card('blue 8'))]).toEqual([ASKED, false])
})

test.each<[string, ...(() => HTMLElement)[]]>([
  ['playing', () => card('blue 8'), () => tile('red 16')],
  ['marker', () => goals()[0]!],
  ['returning', () => tile('red 7'), () => tile('blue 14')],
  ['drafting', () => offered()[2]!],
])('%s: the move takes a key for each thing, and one that confirms', async (story, ...things) => {
  const told = opened(story)
  await sit(told)
  await settled()
  await byKeys(...things)
  expect(told.sent.at(-1)).toEqual(told.moves[0])
})
