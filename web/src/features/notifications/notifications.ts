/** Being told what happens at one's tables: what the server is asked, and the browser's pushes. */
import { mount, unmount } from 'svelte'
import { json, read, request } from '../../lib/api'
import '../../lib/catalogue'
import { LATER, texts, type Speak } from '../../lib/i18n.svelte'
import { write, written } from '../../lib/kept'
import { explain } from '../../lib/problems'
import { Refused } from '../../lib/refused'
import { strip } from '../../table/strip'
import type {
  LinkOutcome,
  NewWebhook,
  NewMail,
  NotificationSettings,
  NotificationUpdate,
  TableWebhook,
  ChannelInfo,
} from '../../lib/wire'

const KEY = 'ziggurat.news'
const mine = '/api/me/news'
const hook = (table: string): string => `/api/tables/${encodeURIComponent(table)}/hook`

export const WISHES = ['turn', 'over', 'invited', 'table'] as const

export const notifications = {
  get: () => read<NotificationSettings>(mine),
  put: (wish: NotificationUpdate) => json<NotificationSettings>(request('PUT', mine, wish)),
  mail: (address: string) => json<ChannelInfo>(request('POST', `${mine}/mails`, { address } satisfies NewMail)),
  hook: (url: string) => json<ChannelInfo>(request('POST', `${mine}/hooks`, { url } satisfies NewWebhook)),
  try: (way: string) => request('POST', `${mine}/ways/${way}/test`, {}),
  hookOf: (table: string) => read<TableWebhook>(hook(table)),
  setHook: (table: string, url: string) =>
    json<TableWebhook>(request('PUT', hook(table), { url } satisfies NewWebhook)),
  /** What a link in a message does: `end`, or `confirm`. */
  open: (what: string, way: string, signature: string) =>
    json<LinkOutcome>(request('POST', ['/api/news', what, way, signature].map(encodeURI).join('/'), {})),
  push,
  end,
}

/** Whether this browser can be told: not without https, not by an old one, and not when its owner said never. */
export function pushes(): 'yes' | 'nowhere' | 'old' | 'denied' {
  if (!isSecureContext) return 'nowhere'
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) return 'old'
  return Notification.permission === 'denied' ? 'denied' : 'yes'
}

/** Lets this browser be told; it asks its owner. Null: they would rather not. */
async function push(key: string): Promise<ChannelInfo | null> {
  if ((await Notification.requestPermission()) !== 'granted') return null
  const registration = await navigator.serviceWorker.register('sw.js')
  await navigator.serviceWorker.ready
  // One of before may be of another server, with another key.
  await (await registration.pushManager.getSubscription())?.unsubscribe()
  const made = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  asked()
  return json<ChannelInfo>(request('POST', `${mine}/pushes`, made.toJSON()))
}

/** Tells nothing there any more. */
async function end(way: ChannelInfo): Promise<void> {
  if (way.here) {
    const registration = await navigator.serviceWorker?.getRegistration()
    await (await registration?.pushManager.getSubscription())?.unsubscribe()
  }
  await request('DELETE', `${mine}/ways/${way.id}`)
}

/**
 * Signs in. A browser that got notifications as a guest's goes on getting them: nothing of a guest that others could have set
 * up is handed over, so its pushes are set up again.
 */
export async function stayTold<T>(signIn: () => Promise<T>): Promise<T> {
  const told = await subscribed().catch(() => null)
  const done = await signIn()
  if (told) await request('POST', `${mine}/pushes`, told.toJSON()).catch(() => undefined)
  return done
}

/** By what this browser is told, if it is. */
async function subscribed(): Promise<PushSubscription | null> {
  if (pushes() !== 'yes' || Notification.permission !== 'granted') return null
  const found = await (await navigator.serviceWorker.getRegistration())?.pushManager.getSubscription()
  return found && (await notifications.get()).ways.some((way) => way.here) ? found : null
}

let offered = false

/** Asks, at the edge of the page, whether the person wants notifications: once, and not one who has decided already. */
export async function offer(): Promise<void> {
  if (offered || pushes() !== 'yes' || Notification.permission !== 'default') return
  offered = true
  // A browser that keeps nothing would be asked again and again.
  if (written(KEY) || !write(KEY, null)) return
  const { default: AskNotifications } = await import('./AskNotifications.svelte')
  const close = (): void => void unmount(line)
  const line = mount(AskNotifications, { target: strip(), props: { onclose: close } })
  addEventListener('hashchange', close, { once: true })
}

/** Notes that the person was asked. */
export function asked(): void {
  write(KEY, 'asked')
}

/** A refusal in words. */
export function refusal(say: Speak, error: unknown): string {
  if (error instanceof DOMException) return say('news.error.no_push')
  const { code = '', args = {} } = error instanceof Refused ? error.problem : {}
  const key = `news.error.${code}`
  return code && texts.has(key, LATER) ? say(key, args) : explain(error)
}
