/** What the host of a table can change while people are waited for, and the link by which others come. */
import { json, read, request } from '../lib/api'
import type { Invitation, NewHost, SeatCompanion, SeatOrder, TableInfo, Terms } from '../lib/wire'

const path = (id: string, what: string): string => `/api/tables/${encodeURIComponent(id)}/${what}`
const change = (id: string, what: string, wish: Terms | SeatOrder | NewHost): Promise<TableInfo> =>
  json<TableInfo>(request('POST', path(id, what), wish))

export const waitingRoom = {
  terms: (id: string, wish: Terms) => change(id, 'terms', wish),
  /** Null: by lot. */
  order: (id: string, order: number[] | null) => change(id, 'order', { order }),
  /** Null: I am the host from now on. */
  host: (id: string, seat: number | null) => change(id, 'host', { seat }),
  /** Seats a person who plays on this device. */
  companion: (id: string, seat: number, name: string) =>
    json<TableInfo>(request('POST', path(id, 'companions'), { seat, name } satisfies SeatCompanion)),
  invitation: (id: string, secret = '') =>
    read<Invitation>(path(id, 'invitation'), secret ? { 'X-Invite': secret } : {}),
}
