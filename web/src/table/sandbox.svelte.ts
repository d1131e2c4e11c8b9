/** A position without a table, for a board that does not notice: what lessons and puzzles are played on. */
import { Refused } from '../lib/refused'
import type { TableSource } from './tableConnection.svelte'
import type { About, Decision, GameEvent, Preview, SandboxState, TableInfo, Snapshot } from '../lib/wire'

const NOTHING: Decision = { ask: null, legal: [], refusals: [], forced: false }

/** The refusal of what needs other players: nobody else is here. */
const nobody = (): Promise<never> =>
  Promise.reject(new Refused({ title: 'alone', status: 409, detail: '', code: 'game_over' }))

export abstract class Sandbox implements TableSource {
  readonly id = ''
  readonly secret = ''
  table = $state.raw<TableInfo | null>(null)
  view = $state.raw<unknown>(null)
  decision = $state.raw<Decision>(NOTHING)
  log = $state.raw<GameEvent[]>([])
  seq = $state(0)
  asked = $state<number | null>(null)
  refused = $state<Refused | null>(null)
  readonly notes = []
  readonly undo = null
  readonly told = {}
  readonly link = 'open'
  readonly unsent = false
  readonly thinking = null
  present: TableSource['present'] = async (_update, apply) => apply()

  /** Answers a whole move. */
  abstract move(steps: number[]): Promise<number>
  abstract preview(steps: number[]): Promise<Preview>
  /** Says what pieces are. */
  abstract about(pieces: string[]): Promise<About[]>

  /** Shows a position; with what led to it, pieces travel. */
  protected async show({ table, view, decision, events }: SandboxState, after = false): Promise<void> {
    const seq = this.seq + 1
    const update: Snapshot = {
      type: 'update',
      seq,
      from: after ? this.seq : 0,
      table,
      view,
      decision,
      events,
      undo: null,
      can_undo: null,
      asked: seq,
      notes: [],
    }
    await this.present(
      update,
      () => {
        this.table = table
        this.view = view
        this.decision = decision
        this.log = after ? [...this.log, ...events] : events
        this.seq = this.asked = seq
      },
      false,
    )
  }

  get canUndo(): TableSource['canUndo'] {
    return null
  }

  readonly byBot = 0

  get now(): number {
    return Date.now() / 1000
  }

  sync(): void {}
  withdraw = (): boolean => false
  close(): void {}
  hint: TableSource['hint'] = nobody
  askUndo: TableSource['askUndo'] = nobody
  standIn = nobody

  say<T = number>(body: Parameters<TableSource['say']>[0]): Promise<T> {
    return body.type === 'about' ? (this.about(body.pieces) as Promise<T>) : nobody()
  }
}
