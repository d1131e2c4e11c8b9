import { expect, test } from 'vitest'
import type { Snapshot, ToPage } from '../../lib/wire'
import {
  all,
  bar,
  byKeys,
  keyOf,
  nameOf,
  press,
  settled,
  sit,
  stops,
  strike,
  the,
  until,
  words,
} from '../../testing/page'
import { tape, type Tape } from '../../testing/tape'

const opened = (story: string): Tape => tape(story, 'alhambra')
const log = (): string[] => all('listitem', undefined, the('region', 'What happened')).map(words)
const alerts = (): string[] => all('alert', undefined, bar.element).map(words)
const yard = (name: string): HTMLElement => the('button', new RegExp(`^${name} `), the('region', 'Construction yard'))
const money = (name: string): HTMLElement => the('button', name, the('region', 'Open money'))
const hand = (): HTMLElement[] => all('button', undefined, the('region', 'Your hand'))
const isPressed = (one: Element): boolean => one.getAttribute('aria-pressed') === 'true'
const moves = (told: Tape): unknown[] => told.sent.filter((one) => (one as { type: string }).type === 'move')
const ASKED = 'Choose a building, or take money.'
const LOST = 'The connection is lost. Reconnecting…'

test('what cannot be paid says why; a payment that is suggested can be changed, and is asked about once', async () => {
  const told = opened('late')
  await sit(told)
  await press(yard('tower'))
  expect([alerts(), bar.deeds]).toEqual([['13 blue needed, you have 3.'], expect.not.arrayContaining(['Buy it'])])
  await press(yard('garden'))
  const exact = '9 yellow for 9: exact, you play again.'
  const steps = [[15], [15, 23], [15, 23, 22]]
  expect([bar.says, bar.deeds]).toEqual([exact, ['Take back', 'Buy it']])
  expect(hand().filter(isPressed).map(nameOf)).toEqual(['Yellow 4', 'Yellow 5'])
  expect(told.sent).toEqual([{ type: 'preview', id: '', seq: 4, steps: steps[0] }])
  await press(the('button', 'Yellow 4', the('region', 'Your hand')))
  expect([bar.says, bar.deeds]).toEqual(['5 of 9 yellow: 4 more needed.', ['Take back']])
  await press(the('button', 'Yellow 4', the('region', 'Your hand')))
  expect([bar.says, bar.deeds]).toEqual([exact, ['Take back', 'Buy it']])
  expect(told.sent.slice(1)).toEqual(steps.slice(1).map((one) => ({ type: 'preview', id: '', seq: 4, steps: one })))
  await press(the('button', 'Take back'))
  expect([bar.says, hand().filter(isPressed)]).toEqual([ASKED, []])

  await press(yard('garden'))
  await press(the('button', 'Buy it'))
  expect(bar.says).toBe('You paid exactly: choose another building, or take money.')
  await press(money('Green 8'))
  expect([bar.says, bar.deeds]).toEqual(['You take 8, and your turn ends.', ['Take back', 'Take the money']])
  await press(the('button', /^Take (?!back)/, bar.element))
  expect(moves(told)).toEqual(told.moves)
  expect(bar.says).toContain('Waiting for Béla')
  told.happen('Béla: take green 6')
  await until(() => log().includes('Béla takes money: green 6.'))
})

test('with a neutral player a building can be given away', async () => {
  const told = opened('neutral')
  await sit(told)
  expect(words(the('list', 'The other players'))).toContain('Neutral')
  expect(all('list', 'Cards known to all')).toEqual([])
  await press(yard('garden'))
  expect(bar.says).toBe('You pay 12 yellow for 9, 3 too much. You get no change, and your turn ends.')
  await press(the('button', 'Buy it for the neutral player'))
  expect(told.sent.at(-1)).toEqual(told.moves[0])
  expect(log().join()).toMatch(/Ada .*garden 9.*neutral/i)
})

test('where it is remembered, what everybody has seen go into a hand stands beside the others', async () => {
  const told = opened('remembered')
  await sit(told)
  const known = all('list', 'Cards known to all').map((one) => all('listitem', undefined, one).map(words))
  // As the log tells it: what they began with and took, without what they paid.
  expect(known).toEqual([
    ['Y Yellow: 3 1', 'B Blue: 2 1'],
    ['G Green: 2', 'B Blue: 2', 'O Orange: 2'],
  ])
})

test('against bots alone any move may be undone, as is said at the button and in the settings', async () => {
  const told = opened('late')
  told.state.can_undo = 'free'
  for (const seat of told.state.table.seats.slice(1)) Object.assign(seat, { kind: 'bot', bot: 'greedy', name: null })
  await sit(told)
  const undo = await until(() => all('button', 'Undo my move')[0])
  const why = 'Against bots you may undo any move.'
  expect(undo.title).toBe(why)
  await press(undo)
  expect(told.sent).toEqual([{ type: 'undo', ask: false, id: '' }])
  await press(the('button', 'Settings'))
  await until(() => all('dialog', 'Settings').map(words).join().includes(why))
})

test('a game is paused and ended by agreement', async () => {
  const told = opened('paused')
  await sit(told)
  const time = 'Your time: 0 seconds left, until Monday, Jun 1, 12:05 PM.'
  await until(() => bar.deeds.includes(time))
  const ask = async (): Promise<void> => {
    await press(the('button', time))
    await press(await until(() => all('button', 'Ask for a pause')[0]))
    expect(bar.says).toContain('You asked for a pause of 5 minutes. Still to answer: Béla.')
    expect(bar.deeds).toContain('Never mind')
  }
  await ask()
  told.happen('Béla refuses')
  await until(() => !bar.deeds.includes('Never mind'))
  expect(bar.says).toContain('Béla does not agree to a pause.')
  await ask()
  told.happen('Béla agrees')
  await until(() => bar.says.includes('The game is paused until'))
  expect(document.title).not.toContain('●')
  await press(the('button', 'Go on now'))
  expect(bar.says).toBe(ASKED)
  told.happen('Béla asks for the end')
  await until(() => bar.says.includes('Béla would like to end the game unfinished. Do you agree?'))
  await press(the('button', 'I agree'))
  await until(() => bar.says === 'Ended unfinished')
  // Woven among the moves, where it happened.
  expect(log().slice(-8)).toEqual([
    'New open money: blue 7.',
    'Ada asks for a pause of 5 minutes.',
    'Béla does not agree to a pause.',
    'Ada asks for a pause of 5 minutes.',
    'The game is paused for 5 minutes.',
    'Ada goes on with the game.',
    'Béla asks to end the game unfinished.',
    'The game was ended by agreement, unfinished.',
  ])
  expect(told.sent.map((one) => (one as { type: string }).type)).toEqual(['ask_pause', 'ask_pause', 'resume', 'vote'])
})

test('what is chosen in one of two windows is forgotten when another move is made in the other', async () => {
  const told = opened('late')
  await sit(told)
  await press(money('Green 8'))
  const move = told.exchanges.find((one) => 'says' in one && one.says.type === 'move')!
  told.sockets.at(-1)!.hear(...move.hears)
  await until(() => log().some((line) => line.startsWith('Ada buys garden 9')))
  expect([bar.deeds, alerts()]).toEqual([expect.not.arrayContaining(['Take the money']), []])
})

/** The server is gone; what it says when it is back. */
async function gone(told: Tape): Promise<() => Promise<void>> {
  told.offline = true
  told.sockets.at(-1)!.close()
  await until(() => bar.says.includes(LOST))
  told.replies({ type: 'hello', since: told.state.seq }, {
    ...told.state,
    from: told.state.seq,
    events: [],
  } as Snapshot)
  return async () => {
    told.offline = false
    dispatchEvent(new Event('online'))
    await until(() => !bar.says.includes(LOST))
    await settled()
  }
}

test('a move that could not be sent says so, can be taken back, and gives way to another', async () => {
  const told = opened('late')
  await sit(told)
  const back = await gone(told)
  const take = async (card: string): Promise<void> => {
    await press(money(card))
    await press(the('button', /^Take (?!back)/, bar.element))
    expect(bar.says).toContain('Your move will be sent when the connection is back.')
  }
  await take('Orange 3')
  await press(the('button', 'Take it back'))
  expect(bar.says).not.toContain('Your move will be sent')
  await take('Orange 3')
  await take('Green 8')
  expect(told.sent).toEqual([])
  await back()
  expect(told.sent).toEqual([{ type: 'move', id: '', seq: 4, steps: [0] }])
})

test('what is chosen while the server is gone is looked at when it is back', async () => {
  const told = opened('late')
  await sit(told)
  const back = await gone(told)
  await press(yard('garden'))
  expect(bar.deeds).not.toContain('Buy it')
  await back()
  expect(bar.deeds).toContain('Buy it')
})

test('a move that is made when the connection is open and its news are on their way is sent', async () => {
  const told = opened('late')
  await sit(told)
  await gone(told)
  const held: ToPage[] = []
  const { reply } = told
  told.reply = (...what) => (held.push(...reply.apply(told, what)), [])
  told.offline = false
  dispatchEvent(new Event('online'))
  await settled()
  expect(bar.says).toContain(LOST)
  await press(money('Green 8'))
  await press(the('button', /^Take (?!back)/, bar.element))
  told.sockets.at(-1)!.hear(...held)
  await until(() => !bar.says.includes(LOST))
  expect(told.sent).toEqual([{ type: 'move', id: '', seq: 4, steps: [0] }])
})

test('whoever tries again has one connection, however often', async () => {
  const told = opened('late')
  await sit(told)
  await gone(told)
  told.offline = false
  for (let times = 0; times < 5; times++) dispatchEvent(new Event('online'))
  await settled()
  expect(told.sockets.filter((one) => one.readyState < 2)).toHaveLength(1)
})

test('by keys: one stop for the yard and one for the money, and a key for each piece', async () => {
  const told = opened('late')
  await sit(told)
  const within = (region: string): string[] => stops(the('region', region)).map(nameOf)
  expect([within('Construction yard'), within('Open money')]).toEqual([['garden 9, paid in yellow'], ['Green 8']])
  yard('garden').focus()
  await strike('Enter')
  expect(bar.deeds).toContain('Buy it')
  await strike('Escape')
  expect([bar.deeds.includes('Buy it'), document.activeElement]).toEqual([false, yard('garden')])
  const keys = ['Construction yard', 'Open money'].flatMap((one) =>
    all('button', /^(?!.*pile)/, the('region', one)).map(keyOf),
  )
  expect(keys.join('')).toBe('12345678')
  await strike('5')
  expect([isPressed(money('Green 8')), told.moves.length]).toEqual([true, 2])
  await strike('Escape')
  expect(moves(told)).toEqual([])
  await byKeys(() => yard('garden'))
  await byKeys(() => money('Green 8'))
  expect(moves(told)).toEqual(told.moves)
})
