import { afterEach, beforeEach, expect, test } from 'vitest'
import { recall } from '../../../lib/kept'
import { otherTables } from '../../../table/otherTables.svelte'
import { all, coming, find, press, sit, strike, the, until, words, write } from '../../../testing/page'
import { tape, type Tape } from '../../../testing/tape'
import type { NoteInfo, NotesInfo } from '../../../lib/wire'

// Whoever has been here before; for a newcomer nothing more is loaded.
beforeEach(() => void (otherTables.watched = true))
afterEach(() => void (otherTables.watched = false))

/** A game is looked through by another feature. */
const reviews = Object.keys(import.meta.glob('../../../features/review/feature.ts')).length > 0

const AT = '2026-11-30T17:00:00.000+00:00'
const note = (seq: number, text: string, move = 0): NoteInfo => ({ seq, move, text, at: AT })
const info = (told: Tape, ...mine: NoteInfo[]): NotesInfo => ({
  me: 'ada',
  seat: told.state.table.you,
  most: 2000,
  mine,
  theirs: [],
  readers: 'nobody',
  said: 'nobody',
  agreed: {},
})
const path = (told: Tape, seq?: number): string =>
  `/api/tables/${told.table}/notes${seq === undefined ? '' : `/${seq}`}`
const puts = (told: Tape): unknown[] =>
  told.asked.filter(({ ask }) => ask.includes('/notes/')).map(({ ask, body }) => [ask.split('/').at(-1), body])
const kept = (): unknown[] => recall<unknown[]>('ziggurat.notes', [])

/** At a table where I play and have such notes; the panel is open. */
async function opened(...mine: NoteInfo[]): Promise<[Tape, HTMLElement]> {
  const told = tape('late', 'alhambra')
  told.answer(`GET ${path(told)}`, info(told, ...mine))
  await sit(told)
  const button = await coming('button', 'My notes')
  await press(button)
  return [told, await coming('region', 'My notes')]
}

const field = (panel: HTMLElement): HTMLTextAreaElement => the('textbox', /^My note/, panel) as HTMLTextAreaElement
const leaves = (panel: HTMLElement): boolean => field(panel).dispatchEvent(new Event('blur'))

test('a note about the game and one at this move save themselves, and nothing goes over the socket', async () => {
  const [told, panel] = await opened()
  expect(document.activeElement).toBe(field(panel))
  const seq = told.state.seq
  told.answer(`PUT ${path(told, seq)}`, note(seq, 'Why?'))
  await write(field(panel), 'Why?')
  await until(() => words(panel).includes('Saved.'))
  await press(the('button', 'Whole game', panel))
  expect(field(panel).value).toBe('')
  told.answer(`PUT ${path(told, 0)}`, note(0, 'Béla hoards blue.'))
  await write(field(panel), 'Béla hoards blue.\u0000')
  leaves(panel)
  await until(() => puts(told).length === 2)
  expect(puts(told)).toEqual([
    [String(seq), { text: 'Why?', before: '' }],
    ['0', { text: 'Béla hoards blue.', before: '' }],
  ])
  await until(() => !kept().length)
  expect(told.sent).toEqual([])
  await strike('Escape')
  await until(() => !all('region', 'My notes').length)
})

test('what is typed while the connection is lost is kept, and sent when it is back, also by the next page', async () => {
  const [told, panel] = await opened(note(0, 'Before.'))
  await press(the('button', 'Whole game', panel))
  expect(field(panel).value).toBe('Before.')
  told.offline = true
  await write(field(panel), 'Before. On the train.')
  leaves(panel)
  await until(() => words(panel).includes('Not sent yet'))
  expect(kept()).toMatchObject([
    { who: 'ada', table: told.table, seq: 0, text: 'Before. On the train.', before: 'Before.' },
  ])
  told.offline = false
  told.answer(`PUT ${path(told, 0)}`, note(0, 'Before. On the train.'))
  dispatchEvent(new Event('online'))
  await until(() => words(panel).includes('Saved.'))
  expect(puts(told).at(-1)).toEqual(['0', { text: 'Before. On the train.', before: 'Before.' }])
  expect(kept()).toEqual([])
})

test('the next page sends what the one before could not, and nobody else’s', async () => {
  const told = tape('late', 'alhambra')
  const draft = { table: told.table, seq: 0, page: 'gone', text: 'Before. Kept.', before: 'Before.' }
  const other = { ...draft, who: 'eve', text: 'Not mine' }
  localStorage.setItem('ziggurat.notes', JSON.stringify([{ ...draft, who: 'ada' }, other, 'broken']))
  told.answer(`GET ${path(told)}`, info(told, note(0, 'Before. Later.')))
  told.answer(`PUT ${path(told, 0)}`, note(0, 'Before. Later.\n Kept.'))
  await sit(told)
  await until(() => puts(told).length)
  expect(puts(told)).toEqual([['0', { text: 'Before. Later.\n Kept.', before: 'Before. Later.' }]])
  await until(() => kept().length === 1)
  expect(kept()).toEqual([other])
})

test('what another window has saved meanwhile is joined to what is written here', async () => {
  const [told, panel] = await opened(note(0, 'One.'))
  await press(the('button', 'Whole game', panel))
  const problem = { title: '', status: 409, detail: '', code: 'note_changed', args: { text: 'Zero.\nOne.' } }
  told.answer(`PUT ${path(told, 0)}`, note(0, 'Zero.\nOne. Two.'))
  told.answer(`PUT ${path(told, 0)}`, problem, 409)
  await write(field(panel), 'One. Two.')
  leaves(panel)
  await until(() => words(panel).includes('both are here now'))
  expect(field(panel).value).toBe('Zero.\nOne. Two.')
  await until(() => puts(told).length === 2)
  expect(puts(told)).toEqual([
    ['0', { text: 'One. Two.', before: 'One.' }],
    ['0', { text: 'Zero.\nOne. Two.', before: 'Zero.\nOne.' }],
  ])
})

test('what the server does not take is said, and stays', async () => {
  const [told, panel] = await opened()
  const problem = { title: '', status: 409, detail: '', code: 'notes_full', args: { max: 20_000, size: 20_010 } }
  told.answer(`PUT ${path(told, told.state.seq)}`, problem, 409)
  await write(field(panel), 'Too much')
  leaves(panel)
  await until(() => all('alert', undefined, panel).map(words).join().includes('now they have 20010'))
  expect(field(panel).value).toBe('Too much')
  expect(kept()).toHaveLength(1)
})

test('who looks on has no notes', async () => {
  const told = tape('late', 'alhambra')
  told.answer(`GET ${path(told)}`, { ...info(told), seat: null })
  await sit(told)
  await until(() => told.lines.length)
  expect(all('button', 'My notes')).toEqual([])
})

/** A game of two that is over; Bob sits on the other seat. */
async function over(more: Partial<NotesInfo>): Promise<Tape> {
  const told = tape('room', 'alhambra/house')
  told.answer(`GET ${path(told)}`, { ...info(told), agreed: { 0: 'nobody', 1: 'players' }, ...more })
  await sit(told)
  await coming('dialog', 'The game is over')
  return told
}

test('after the game each says who may read the notes, and reads who has yet to agree', async () => {
  const told = await over({ mine: [note(0, 'A close one.')] })
  const end = await until(() => all('group', 'Notes of this game')[0] ?? find('dialog details[open]'))
  expect(words(end)).toContain('You have written 1 note here.')
  expect(words(end)).toContain('Nobody reads the notes of others yet.')
  const shared: Partial<NotesInfo> = { said: 'watchers', readers: 'players', agreed: { 0: 'watchers', 1: 'players' } }
  told.answer(`PUT ${path(told)}/readers`, { ...info(told), ...shared })
  await press(the('radio', 'Whoever may watch', end))
  await until(() => words(end).includes('Those who played read it.'))
  expect(words(end)).toContain('Still to agree: Bob.')
  expect(puts(told)).toEqual([['readers', { readers: 'watchers' }]])
})

test.skipIf(!reviews)(
  'who looks through the game reads beside each move what was written there, also by others',
  async () => {
    const frames = tape('room', 'alhambra/house').lines.flatMap((line) =>
      'ask' in line && line.ask.endsWith('/history') ? (line.answer as { frames: { seq: number }[] }).frames : [],
    )
    const [first, second] = [frames[1]!.seq, frames[2]!.seq]
    await over({
      mine: [note(first, 'Too dear', 1)],
      theirs: [{ ...note(second, 'Now or never', 2), seat: 1 }],
      readers: 'players',
    })
    await press(await coming('button', 'Look through the game'))
    const panel = await coming('region', 'My notes')
    expect(field(panel).value).toBe('')
    await press(the('button', 'One move forward'))
    await until(() => field(panel).value === 'Too dear')
    expect(words(panel)).not.toContain('Saved. Bob')
    await press(the('button', 'One move forward'))
    await until(() => words(panel.querySelector('.read')).includes('Bob Now or never'))
    expect(field(panel).value).toBe('')
    await press(the('button', /Too dear/, panel))
    await until(() => field(panel).value === 'Too dear')
  },
)
