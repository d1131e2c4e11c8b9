/**
 * Keys as a player's hands: what can be chosen has a digit or a letter, found on the board as it is drawn. What glows
 * (`can`, `target`) can be chosen. Enter confirms, Escape takes back (`TableTop.svelte`). They come with the first key.
 */
import { mount, tick, unmount, untrack } from 'svelte'
import { aloud } from './aloud'
import Letters from './Letters.svelte'
import { keepFocus } from '../lib/keepFocus'
import { need } from '../lib/parts'
import type { TableSession } from './tableSession.svelte'
import { settings } from '../lib/settings.svelte'

/** A key and what it chooses. */
export interface Mark {
  key: string
  button: HTMLButtonElement
}

/** Without 0, by which a city is seen as a whole. */
const DIGITS = '123456789'
/** Without the letters that mean something everywhere. */
const LETTERS = 'abcdefgijkmnopqrstuvxy'
const CAN = ':is(.can, .target, :is([data-place], [data-place] *).chosen[aria-pressed=true])'
/**
 * A group that is called something: where one of it can be chosen, all of it have keys, so that they keep their places.
 * On the table they have them anyway, as long as there are no more of them than digits.
 */
const GROUP = '[data-arrows][aria-label]'
/** Where the table lies, and what lies next to the board (`TableTop.svelte`). */
const TABLE = '.others, .middle'
const ELSEWHERE = '.aside, .strip, section.beside'
const ARROWS = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']
/** How long a confirmation waits for what it confirms. */
const SOON = 3000

const drawn = (one: HTMLElement): boolean => one.getClientRects().length > 0
const all = (selector: string): HTMLButtonElement[] =>
  [...document.querySelectorAll<HTMLButtonElement>(selector)].filter((one) => !one.disabled && drawn(one))
/** Where the connection is lost in between, the next press does it. */
const soon = (loading: Promise<unknown>): void => void loading.catch(() => undefined)
const BAR = 'main [data-testid=action-bar]'
const bar = (): HTMLElement | null => document.querySelector(BAR)
const says = (): string =>
  document.querySelector<HTMLElement>(`${BAR} .words`)?.innerText.replace(/\s+/g, ' ').trim() ?? ''
const confirms = (): HTMLButtonElement | undefined => {
  const found = all(`${BAR} .deeds .primary`)
  return found.length === 1 ? found[0] : undefined
}

/** What can be chosen now, in reading order: what lies on the table, and what is one's own with what the bar offers. */
function choices(): [table: HTMLButtonElement[], own: HTMLButtonElement[]] {
  const board = all('main button:not([aria-haspopup])').filter((one) => !one.closest(ELSEWHERE))
  const lies = (one: HTMLElement): boolean => !!one.closest(TABLE)
  const fixed = board.filter((one) => one.closest(`.middle ${GROUP}`))
  const stays = fixed.length <= DIGITS.length ? fixed : []
  const chosen = (one: HTMLElement): boolean => one.matches(CAN) || !!one.closest(GROUP)?.querySelector(CAN)
  const table = board.filter((one) => lies(one) && (stays.includes(one) || chosen(one)))
  const own = board.filter((one) => !lies(one) && chosen(one))
  const last = confirms()
  const deeds = all(`${BAR} .deeds button:not([data-key])`).filter((one) => one !== last && !own.includes(one))
  return [table, [...own, ...deeds]]
}

class Keys {
  /** Does the player use the keys just now? */
  used = $state(true)
  marks = $state.raw<Mark[]>([])
  /** What confirms. */
  enter = $state.raw<HTMLButtonElement | null>(null)
  /** Keys that are given, as long as the question is the same. */
  #given = new Map<HTMLButtonElement, string>()
  #asked: unknown
  /** The question to which the focus has gone. */
  #question = ''
  /** Until when a confirmation waits. */
  #confirming = 0
  /** What the bar said when something was chosen. */
  #said: string | null = null
  #letters: Record<string, never>
  #end: () => void

  constructor(
    readonly session: TableSession,
    readonly main: HTMLElement,
  ) {
    const look = (): void => this.look()
    const watch = new MutationObserver(look)
    const changes = ['class', 'aria-pressed', 'disabled']
    watch.observe(main, { subtree: true, childList: true, characterData: true, attributeFilter: changes })
    const pointed = (): void => {
      this.used = false
    }
    addEventListener('pointerdown', pointed)
    addEventListener('resize', look)
    this.#letters = mount(Letters, { target: main.parentElement!, props: { keys: this } })
    const end = $effect.root(() => {
      $effect(() => {
        void [session.source.asked, session.source.seq, session.yourTurn, session.replaying]
        untrack(() => void tick().then(() => this.#turn()))
      })
      $effect(() => {
        void settings.keys
        untrack(look)
      })
    })
    this.#end = () => {
      watch.disconnect()
      removeEventListener('pointerdown', pointed)
      removeEventListener('resize', look)
      end()
      void unmount(this.#letters)
    }
    this.#asked = session.source.asked
    look()
  }

  end(): void {
    this.#end()
  }

  /** Gives what can be chosen its keys; what has one keeps it until something else is asked. */
  look(): void {
    const { session } = this
    const [table, own] = session.yourTurn ? choices() : [[], []]
    if (session.source.asked !== this.#asked || !session.yourTurn) this.#given.clear()
    this.#asked = session.source.asked
    for (const button of this.#given.keys()) if (!button.isConnected || !drawn(button)) this.#given.delete(button)
    const free = (keys: string): string => [...keys].find((key) => ![...this.#given.values()].includes(key)) ?? ''
    const give = (button: HTMLButtonElement, keys: string): void => {
      const key = this.#given.get(button) ?? free(keys)
      if (key) this.#given.set(button, key)
    }
    for (const button of own) give(button, LETTERS)
    for (const button of table) give(button, DIGITS + LETTERS)
    for (const { button } of this.marks) if (!this.#given.has(button) || !settings.keys) button.ariaKeyShortcuts = null
    this.marks = settings.keys ? [...this.#given].map(([button, key]) => ({ key, button })) : []
    this.enter = session.yourTurn ? (confirms() ?? null) : null
    for (const { button, key } of this.marks) button.ariaKeyShortcuts = key
    if (this.#confirming > performance.now() && this.enter) this.#confirm(this.enter)
    this.#tell()
  }

  pressed(event: KeyboardEvent): void {
    const { key } = event
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return
    if (document.querySelector('dialog:modal')) return
    // The first key is heard late: what Enter does to a button is done already.
    if (key === 'Enter' && event.eventPhase === Event.NONE) return void (this.used = true)
    // A key that is held does nothing twice.
    if (event.repeat && (key === 'Enter' || key.length === 1)) return event.preventDefault()
    if (key !== 'Escape') this.used = true
    if (key !== 'Enter') this.#confirming = 0
    // What is chosen with it is told, by whatever key.
    if (key === 'Enter' || key === ' ') this.#said = says()
    if (key === 'Enter') this.#enter(event)
    else if (ARROWS.includes(key)) this.#arrow(event)
    else if (settings.keys && key.length === 1) this.#letter(key.toLowerCase(), event)
  }

  /** Confirms, unless the focus is on something that Enter does: then that is done. */
  #enter(event: KeyboardEvent): void {
    const at = document.activeElement
    const chosen =
      at instanceof HTMLElement && at.matches('[aria-pressed=true]') && this.#given.has(at as HTMLButtonElement)
    if (at && at !== document.body && at !== bar() && !chosen) return
    event.preventDefault()
    const { session } = this
    this.look()
    if (this.enter) this.#confirm(this.enter)
    else if (!session.pendingMove.empty && !session.pendingMove.refusal) this.#confirming = performance.now() + SOON
  }

  #confirm(button: HTMLButtonElement): void {
    this.#confirming = 0
    // What comes of it is told as an update (`Announcer.svelte`).
    this.#said = null
    button.click()
  }

  /** From nowhere an arrow leads to what can be chosen; within a group it is the group's (`roving.ts`). */
  #arrow(event: KeyboardEvent): void {
    const at = document.activeElement
    if (at && at !== document.body && at !== bar()) return
    if (this.#first()) event.preventDefault()
  }

  #first(): boolean {
    const [table, own] = this.session.yourTurn ? choices() : [[], []]
    const can = [...table, ...own].filter((one) => one.matches(CAN))
    const first = can.find((one) => one.closest(BAR)) ?? can[0] ?? own[0] ?? confirms()
    first?.focus()
    return !!first
  }

  #letter(key: string, event: KeyboardEvent): void {
    const found = this.marks.find((mark) => mark.key === key)
    const does: Record<string, () => void> = {
      z: () => this.#press('z', 'keys.none.z'),
      h: () => this.#press('h', 'keys.none.h'),
      l: () => void this.#log(),
      w: () => soon(import('./showPieceHelp').then(({ showPieceHelp }) => showPieceHelp(this.session, event))),
      '?': () => soon(import('./asking').then(({ sheet }) => sheet(this.session))),
      '/': () => soon(import('./asking').then(({ ask }) => ask(this.session))),
    }
    const act = found ? () => this.#choose(found.button) : does[key]
    if (!act) return
    event.preventDefault()
    act()
  }

  #choose(button: HTMLButtonElement): void {
    this.#said = says()
    button.focus()
    button.click()
  }

  /** Presses a button of the bar that has a key of its own; where there is none, the bar says so. */
  #press(key: string, none: string): void {
    const [button] = all(`${BAR} [data-key=${key}]`)
    if (button) button.click()
    else void need('keys').then(() => this.session.pendingMove.refuse({ key: none, args: {} }))
  }

  /** The log: next to the board, or in its drawer. */
  async #log(): Promise<void> {
    const list = (): HTMLElement | undefined =>
      [...document.querySelectorAll<HTMLElement>('.aside .log ol')].find(drawn)
    if (!list() && !settings.log && document.querySelector('main .aside')?.getClientRects().length) {
      settings.log = true
      settings.save()
      await tick()
    }
    const found = list()
    if (found) found.focus()
    else this.session.drawer = 'log'
  }

  /** What the bar says about what was chosen is told to those who listen. */
  #tell(): void {
    const now = says()
    if (this.#said === null || now === this.#said || this.session.pendingMove.busy) return
    this.#said = null
    // A refusal speaks for itself.
    if (!document.querySelector(`${BAR} [role=alert]`)) aloud(this.session, now)
  }

  /** After a move the focus goes to what is asked next, unless the person reads elsewhere. */
  #turn(): void {
    this.look()
    const { session } = this
    const question = `${session.source.asked} ${session.yourTurn}`
    if (question === this.#question) return
    const first = this.#question === ''
    this.#question = question
    if (first || !this.used || !session.yourTurn || document.querySelector('dialog[open]')) return
    const at = document.activeElement as HTMLElement | null
    if (at && at !== document.body && (!at.closest('main') || at.closest(ELSEWHERE))) return
    this.#first()
    aloud(session, session.sentence([]))
  }
}

let keys: Keys | null = null

export function pressed(session: TableSession, event: KeyboardEvent): void {
  const main = document.querySelector<HTMLElement>('main.table')
  if (!main) return
  keepFocus(true)
  if (keys?.session !== session || keys.main !== main) {
    keys?.end()
    keys = new Keys(session, main)
  }
  keys.pressed(event)
}

export type { Keys }
