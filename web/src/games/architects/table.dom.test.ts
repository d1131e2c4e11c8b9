import { expect, test } from 'vitest'
import {
  all,
  bar,
  byKeys,
  keyOf,
  nameOf,
  press,
  sit,
  strike,
  the,
  until,
  visit,
  words,
  write,
} from '../../testing/page'
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
    says: 'Build stage 2 with stone and a coin (+5).',
    deed: 'Build',
    told: 'Ada builds stage 2 of Giza with stone and a coin (+5).',
  },
  {
    story: 'claiming',
    asks: 'Which progress token do you take?',
    deeds: ['Culture', 'Strategy', 'Decor', 'Stack'],
    what: 'Decor. At the end: 4 points, or 6 if your wonder is complete',
    says: 'Turn in a compass, a gear and a tablet, take Decor. At the end: 4 points, or 6 if your wonder is complete.',
    deed: 'Turn in, take the token',
    told: 'Ada turns in a compass, a gear and a tablet and takes Decor.',
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
  ['looking', /^Right deck/, "Ada looks at the top 5 cards of Rhodes' deck: a shield with two horns, papyrus, "],
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
  // What is taken is not there any more.
  told.happen('Gil: wonder giza')
  await until(() => all('button', undefined, gallery).length === 6)
  expect(all('button', /^Gízai/, gallery)).toEqual([])
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

test('with the light of Alexandria every deck of seven can be named and taken from', async () => {
  await sit(opened('alexandria'))
  const decks = all('button', / deck\. /).map(
    (deck) => /(\w+)'?s? deck\. /.exec(nameOf(deck).replace(/^\w+ deck\. (?=[A-Z])/, ''))?.[1],
  )
  const wonders = ['Alexandria', 'Babylon', 'Ephesus', 'Giza', 'Halicarnassus', 'Olympia', 'Rhodes']
  expect(new Set(decks)).toEqual(new Set([...wonders, 'Central']))
})

test('whoever asked for a bot takes it back, and who is asked may say no', async () => {
  const told = opened('absent')
  await sit(told)
  await press(await until(() => all('button', 'Let a bot play for Cleo')[0]))
  await press(await until(() => all('button', 'Never mind', bar.element)[0]))
  expect(told.sent.at(-1)).toEqual({ type: 'stand_in', id: '', seat: 2, agree: false })
  const hers = tape('absent', 'architects', (text) => text.replaceAll('"agreed":[0]', '"agreed":[1]'))
  await sit(hers)
  await press(await until(() => all('button', 'Let a bot play for Cleo')[0]))
  await until(() => bar.says.includes('Béla wants a bot to play for Cleo until they come back.'))
  expect(bar.deeds.slice(-2)).toEqual(['Agree', 'No'])
  await press(the('button', 'No', bar.element))
  expect(hers.sent.at(-1)).toEqual({ type: 'stand_in', id: '', seat: 2, agree: false })
})

test('a bot plays for whoever is gone, when all agree, until they are back', async () => {
  const told = opened('absent')
  await sit(told)
  await press(await until(() => all('button', 'Let a bot play for Cleo')[0]))
  expect(told.sent).toEqual([{ type: 'stand_in', id: '', seat: 2 }])
  expect(bar.says).toBe('Waiting for Cleo You want a bot to play for Cleo. Waiting for Béla to agree.')
  told.happen('Béla agrees, and the bot plays')
  await until(() => bar.says === 'Take the top card of a deck.')
  expect(log().slice(-4)).toEqual([
    'Ada would like a bot to play for Cleo.',
    'From now on a bot plays for Cleo: Builder.',
    "Cleo takes a shield with two horns from Olympia's deck.",
    'The horns sound: 2 conflict tokens turn, 2 of 3 show battle.',
  ])
  // In the log, and beside her seat.
  const signs = (): number => words().split('a bot plays for Cleo').length - 2
  expect(signs()).toBeGreaterThan(0)
  told.happen('Cleo comes back')
  await until(() => log().at(-1) === 'Cleo is back.')
  expect(signs()).toBe(0)
})

/** Chooses one of a few that stand side by side. */
const choose = (question: string, answer: string): Promise<void> => press(the('radio', answer, the('group', question)))

test('house rules, hints and the time are chosen, and reach the table', async () => {
  const told = opened('set_up').answer('POST /api/tables', {}, 409)
  await visit(told, '#/new/architects')
  await until(() => all('combobox').length)
  const shields = 'Against an opponent without shields, do you need two for two tokens?'
  expect(all('group', shields)).toEqual([])
  await choose('May you skip an extra card?', 'No')
  expect(words()).toMatch(/House rules.{0,4}1 changed/)
  await press(the('button', 'One player fewer: Seat 3'))
  expect(all('group', shields)).toHaveLength(1)
  await press(the('switch', 'Hints'))
  await choose('Thinking time', 'Days')
  await choose('Reserve for the whole game + time for each move', 'My own values')
  await write(the('spinbutton', 'For each move, in hours'), '36')
  await choose("When somebody's time runs out", 'The others are asked')
  expect(words()).toContain('No clock runs between 22:00 and 8:00')
  await press(the('button', 'Start the game'))
  expect(told.asked).toMatchObject([
    {
      ask: 'POST /api/tables',
      body: {
        seats: [{ kind: 'me' }, { kind: 'bot' }],
        hints: false,
        options: { extra_card_optional: 'no' },
        time: { kind: 'days', reserve: 259_200, step: 129_600, nights: true, vacation: 7 },
      },
    },
  ])
  expect(JSON.stringify(told.asked[0]!.body)).toContain('"then":"ask"')
})

test('by keys a payment takes one, and one that confirms; a card takes one', async () => {
  const told = opened('paying')
  await sit(told)
  // What will be paid lies chosen among one's own cards.
  await press(the('button', 'stone, coin'))
  const cards = all('button', /^\d+ × /).filter((one) => one.getAttribute('aria-pressed') === 'true')
  expect(cards.map(nameOf)).toEqual(['2 × stone', '1 × coin'])
  await press(the('button', 'Take back'))
  await byKeys(() => the('button', 'stone, coin'))
  expect(told.sent.at(-1)).toEqual(told.moves[0])
  const other = opened('playing')
  await sit(other)
  expect(bar.deeds).not.toContain('What would a Master do?')
  await strike('Shift')
  await strike(keyOf(the('button', /^Left deck/)))
  expect(other.sent).toEqual(other.moves)
})
