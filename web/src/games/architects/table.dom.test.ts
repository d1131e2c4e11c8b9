import { expect, test } from 'vitest'
import { all, bar, nameOf, press, sit, the, until, words } from '../../testing/page'
import { tape, type Tape } from '../../testing/tape'

const opened = (story: string): Tape => tape(story, 'architects')
const log = (): string[] => all('listitem', undefined, the('region', 'What happened')).map(words)
const offered = (within: HTMLElement): string[] => all('button', /^(?!.*Not possible)/, within).map(nameOf)

test('a card is taken with one press', async () => {
  const told = opened('playing')
  await sit(told)
  expect(document.title).toBe('● 7 Wonders: Architects · Ziggurat')
  expect(bar.says).toContain('Take the top card of a deck.')
  await press(the('button', "Left deck. Giza's deck. 24 left. On top: compass"))
  expect(told.sent).toEqual(told.moves)
  expect(log().at(-1)).toBe("Ada takes a compass from Giza's deck.")
  expect(document.title).toBe('7 Wonders: Architects · Ziggurat')
})

test.each([
  {
    story: 'paying',
    asks: 'Which cards do you pay with?',
    deeds: ['wood, coin', 'stone, coin', 'stone, stone'],
    what: 'stone, coin',
    says: 'Build stage 2 with stone and coin (+5).',
    deed: 'Build',
    told: 'Ada builds stage 2 of Giza with stone and coin (+5).',
  },
  {
    story: 'claiming',
    asks: 'Which progress token do you take?',
    deeds: ['Culture', 'Strategy', 'Decor', 'Stack'],
    what: 'Decor. At the end: 4 points, or 6 if your wonder is complete',
    says: 'Turn in compass, gear and tablet, take Decor. At the end: 4 points, or 6 if your wonder is complete.',
    deed: 'Turn in, take the token',
    told: 'Ada turns in compass, gear and tablet and takes Decor.',
  },
  {
    story: 'babylon',
    asks: 'The gardens give you a progress token: choose one.',
    deeds: [],
    what: 'Decor. At the end: 4 points, or 6 if your wonder is complete',
    says: 'Take Decor. At the end: 4 points, or 6 if your wonder is complete.',
    deed: 'Take the token',
    told: 'Babylon gives Ada a progress token: Decor.',
  },
  {
    story: 'keeping',
    asks: 'Choose the card that you keep.',
    deeds: ['shield with two horns', 'shield with a horn', 'shield'],
    what: 'shield with a horn',
    says: 'Keep a shield with a horn.',
    deed: 'Keep this card',
    told: "The others go back, and Halicarnassus' deck is shuffled: 23 cards.",
  },
  {
    story: 'choosing',
    asks: 'Choose the wonder that you will build.',
    deeds: [],
    what: /^Pyramid of Giza/,
    says: 'Build the Pyramid of Giza. No effect, but more points than any other wonder.',
    deed: 'Build this wonder',
    told: 'Gil builds the Pyramid of Giza.',
  },
])('$story: what is chosen is said, can be taken back, and is confirmed', async (move) => {
  const told = opened(move.story)
  await sit(told)
  expect([bar.says, bar.deeds]).toEqual([move.asks, move.deeds])
  for (const again of [true, false]) {
    await press(the('button', move.what))
    expect([bar.says, bar.deeds]).toEqual([move.says, ['Take back', move.deed]])
    expect(told.said).toEqual([])
    if (again) await press(the('button', 'Take back'))
  }
  await press(the('button', move.deed))
  expect(told.sent).toEqual(told.moves)
  expect(log()).toContain(move.told)
})

test.each([
  [
    'alexandria',
    "Olympia's deck. 25 left. On top: shield with two horns",
    "Ada uses Alexandria to take a shield with two horns from Olympia's deck.",
  ],
  ['leaving', 'End your turn', 'Ada ends the turn without another card.'],
  ['looking', /^Right deck/, "Ada looks at the top 5 cards of Rhodes' deck: shield with two horns, papyrus, "],
])('%s: it is done at once', async (story, what, line) => {
  const told = opened(story)
  await sit(told)
  await press(the('button', what))
  expect(told.sent).toEqual(told.moves)
  expect(log().find((one) => one.startsWith(line))).toBeDefined()
})

test('a further card is one that a token gives, or none', async () => {
  const told = opened('more')
  await sit(told)
  expect([bar.says, bar.deeds]).toEqual(['Take another card, or end your turn.', ['Urbanism', 'End your turn']])
  await press(the('button', 'Urbanism', bar.element))
  expect([bar.says, bar.deeds]).toEqual([
    'Take the top card of a deck.',
    ['Left deck', 'Right deck', 'Central deck', 'Take back'],
  ])
  await press(the('button', 'Left deck', bar.element))
  expect(told.sent).toEqual(told.moves)
  expect(log().at(-1)).toBe("Ada uses Urbanism to take glass from Giza's deck.")
})

test('who looks on sees the moves, and is told that none is theirs', async () => {
  const told = opened('watching')
  await sit(told)
  expect(bar.says).toContain('Waiting for Ada')
  await press(the('button', /^Left deck/))
  expect([words(the('alert')), told.said]).toEqual(['It is not your turn.', []])
  told.happen('Ada moves')
  await until(() => log().at(-1) === "Ada takes a compass from Giza's deck.")
})

test('whoever waits sees the wonders, and is told why they cannot choose', async () => {
  const told = opened('waiting_for_others')
  await sit(told, 'hu')
  expect(bar.says).toBe('Most lép: Gil')
  const gallery = the('region', 'Választható csodák')
  expect(offered(gallery).length).toBe(7)
  await press(all('button', /^Gízai/, gallery)[0]!)
  expect([words(the('alert')), told.said]).toEqual(['Most nem te vagy soron.', []])
})

test('the game is over', async () => {
  const told = opened('ended')
  await sit(told)
  await press(the('button', /^Left deck/))
  await press(the('button', 'Build'))
  expect(told.sent).toEqual(told.moves)
  expect(bar.says).toBe('The game is over.')
  await press(the('button', 'Where the points come from', bar.element))
  const scores = all('row', undefined, the('dialog', 'The game is over'))
  expect(scores.length).toBe(8)
  expect([...scores[1]!.children].map(words)).toEqual(['Ada Giza', '30', '3', '0', '0', '4', '37'])
})
