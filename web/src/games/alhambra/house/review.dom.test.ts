import { expect, test } from 'vitest'
import { all, coming, find, press, says, sit, the, until, visit, words } from '../../../testing/page'
import { tape, type Tape } from '../../../testing/tape'
import { gameModules } from '../../../table/games'
import { speaker } from '../../../lib/i18n.svelte'

const told = (): Tape => tape('room', 'alhambra/house')
const slider = (): number => Number((find('input[type=range]') as HTMLInputElement).value)

/** Comes to the game that is over, and sees the board again. */
async function ended(page: Tape): Promise<void> {
  await sit(page)
  await press(the('button', 'Close', await coming('dialog', 'The game is over')))
  await until(() => all('dialog').length === 0)
}

test('whoever looks on is led to the next game of the same people, by the same link', async () => {
  const page = tape('room', 'alhambra/house', (text) => text.replace(/"you":\d/g, '"you":null'))
  await visit(page, `${page.address}/secret`)
  await press(await coming('button', 'Close', await coming('dialog', 'The game is over')))
  page.happen('Bob wants another game')
  await says('They play on.')
  const next = await coming('link', 'Follow them')
  expect(next.getAttribute('href')).toMatch(/^#\/table\/\w+\/[\w-]+$/)
  expect(next.getAttribute('href')).not.toContain(page.table)
})

test('whoever follows is where the other one is, sees what they point at, and looks around freely again', async () => {
  const page = told()
  await ended(page)
  page.happen('Bob leads')
  await says('Bob shows the game.')
  page.happen('Bob is at 1')
  await press(await coming('button', 'Follow'))
  await until(() => slider() === 1)
  page.happen('Bob is at 2')
  await until(() => slider() === 2)
  page.happen('Bob points')
  await until(() => words(find('[data-testid=ring]')) === 'Bob')
  await press(await coming('button', 'Look around freely'))
  page.happen('Bob is at 1')
  expect(slider()).toBe(2)
})

test('whoever leads says where they are, and points at what they touch', async () => {
  const page = told()
  await sit(page)
  await press(await coming('button', 'Look through the game'))
  await press(await coming('button', 'Lead'))
  expect(page.sent).toEqual([{ type: 'lead', lead: true, id: '' }])
  await press(await coming('button', 'Point'))
  await press(find('main.table [data-place^="seat:"]')!)
  await until(() => page.sent.length > 1)
  expect(page.sent.at(-1)).toMatchObject({ type: 'point', place: expect.stringMatching(/^seat:/) })
})

test('a game is shown to others when all agree, and no more when one takes it back', async () => {
  const page = told()
  await sit(page)
  await press(await coming('checkbox', 'Show my name'))
  await press(await coming('button', 'Yes, show it'))
  await says('You have agreed. Not yet: Bob.')
  expect(page.asked.at(-1)!.body).toEqual({ agree: true, named: true })
  await until(() => /#\/game\/\w+/.test((all('textbox', 'The link')[0] as HTMLInputElement | undefined)?.value ?? ''))
  await press(await coming('button', 'Do not show it any more'))
  await coming('button', 'Yes, show it')
  // Who has the link sees it, with the names of those who want that.
  await visit(page, '#/game/secret')
  await says('The players show this game.')
  expect(words()).toContain('Ann')
  expect(words()).not.toContain('Bob')
  page.answer('GET /api/shown', { title: '', status: 410, detail: '', code: 'game_withdrawn' }, 410)
  await visit(page, '#/nowhere')
  await visit(page, '#/game/secret')
  await says('This game is not shown any more: one of its players has withdrawn it.')
})

test('whoever still looks at a game hears that another one is wanted', async () => {
  const page = told()
  await ended(page)
  expect(words()).not.toContain('Another game?')
  page.happen('Bob wants another game')
  await says('Another game?')
  // One press is the yes: at the next table nobody is asked again.
  page.answer(`POST /api/tables/${page.table}/rematch`, {})
  await press(the('button', 'Join'))
  expect(page.asked.at(-1)).toMatchObject({ ask: `POST /api/tables/${page.table}/rematch` })
  await until(() => /^#\/table\/\w+$/.test(location.hash) && !location.hash.endsWith(page.table))
})

const another = gameModules.find(({ id }) => id !== 'alhambra')?.id

test.skipIf(!another)(
  'the same people may be asked to another game, which takes as many, and read to which',
  async () => {
    const page = told()
    const game = (id: string, max_players: number): object => ({ id, max_players })
    page.answer('GET /api/games', [game('alhambra', 6), game(another!, 3), game('too-small', 1)])
    await sit(page)
    await until(() => words().includes('Another game'))
    await press(find('summary.button')!)
    expect(words(find('summary.button')!.parentElement)).toBe(
      `Another game With the same people; each of them is asked. ${speaker(another!)('name')}`,
    )
    page.answer(`POST /api/tables/${page.table}/rematch?game=${another!}`, { id: 'next' })
    await press(await coming('button', speaker(another!)('name')))
    expect(page.asked.at(-1)).toMatchObject({ ask: `POST /api/tables/${page.table}/rematch?game=${another!}` })
    // Who is asked reads to which game, at the result and while they look through the last one.
    let next = ''
    const hers = tape('room', 'alhambra/house', (text) => {
      next = /"rematch":"(\w+)"/.exec(text)![1]!
      return text
    })
    hers.answer(`GET /api/tables/${next}`, { id: next, game: another! })
    await sit(hers)
    hers.happen('Bob wants another game')
    await coming('button', `Join the next game: ${speaker(another!)('name')}`)
    expect(words()).not.toContain('Another game')
    await press(the('button', 'Close', await coming('dialog', 'The game is over')))
    await says(`Next: ${speaker(another!)('name')}?`)
  },
)
