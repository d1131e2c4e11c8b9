/** Coming back: what the server is asked, and the browser's passkeys. */
import { json, read, request } from '../lib/api'
import '../lib/catalogue'
import { LATER, texts, type Speak } from '../lib/i18n.svelte'
import { explain } from '../lib/problems'
import { Refused } from '../lib/refused'
import type {
  Account,
  SignInRequest,
  RecoveryCodes,
  Redirect,
  TransferStatus,
  Link,
  Me,
  SeatOffer,
  TableInfo,
  TakeSeat,
  SignInMethods,
} from '../lib/wire'

/** The catalogue of these pages. */
export const WORDS = LATER

const path = (...parts: string[]): string => `/api/${parts.map(encodeURIComponent).join('/')}`
const seat = (table: string, ...what: string[]): string => path('tables', table, ...what)

export const account = {
  get: () => read<Account>(path('me', 'account')),
  codes: () => json<RecoveryCodes>(request('POST', path('me', 'codes'), {})),
  link: () => json<Link>(request('POST', path('me', 'link'), {})),
  signOut: (device: string) => request('DELETE', path('me', 'devices', device)),
  forgetPasskey: (id: string) => request('DELETE', path('me', 'passkeys', id)),
  forgetMe: () => request('DELETE', path('me')),
  bySecret: (secret: string) => signIn(() => json<Me>(request('POST', path('sign-in'), { secret }))),
  everything: path('me', 'everything'),
  makePasskey,
  byPasskey: () => signIn(byPasskey),
  /** What the host's provider is called, if there is one. */
  ways: () => read<SignInMethods>(path('sign-in')),
  byProvider: (keep: boolean) =>
    json<Redirect>(request('POST', path('sign-in', 'oidc'), { keep } satisfies SignInRequest)),
  forgetProvider: (id: string) => request('DELETE', path('me', 'identities', id)),
}

/** The transfer of a seat. */
export const hands = {
  offered: (table: string) => read<TransferStatus>(seat(table, 'hand')),
  offer: (table: string) => json<Link>(request('POST', seat(table, 'hand'), {})),
  keep: (table: string) => request('DELETE', seat(table, 'hand')),
  look: (table: string, secret: string) => read<SeatOffer>(seat(table, 'take'), { 'X-Invite': secret }),
  take: (table: string, secret: string, name: string) =>
    json<TableInfo>(
      request('POST', seat(table, 'take'), {
        secret,
        name,
        zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      } satisfies TakeSeat),
    ),
}

/** A refusal in words. */
export function refusal(say: Speak, error: unknown): string {
  if (error instanceof DOMException) return say('account.error.no_passkey')
  const key = error instanceof Refused ? `account.error.${error.problem.code ?? ''}` : ''
  return key && texts.has(key, WORDS) ? say(key) : explain(error)
}

/** Whether passkeys can be used here: `nowhere` at an address in numbers or without https, `old` in an old browser. */
export function passkeys(): 'yes' | 'nowhere' | 'old' {
  const { hostname } = location
  if (!isSecureContext || /^[\d.]+$|:/.test(hostname)) return 'nowhere'
  return 'PublicKeyCredential' in window ? 'yes' : 'old'
}

/** Loads the page again as another person: all that it remembers is of the one before. */
export function startOver(): void {
  history.replaceState(null, '', '#/') // which shows nothing yet
  location.reload()
}

async function makePasskey(): Promise<Account> {
  const options = await json<Json>(request('POST', path('me', 'passkeys', 'question'), {}))
  const user = options.user as Json
  const known = (options.excludeCredentials ?? []) as Json[]
  const publicKey = {
    ...options,
    challenge: bytes(options.challenge),
    user: { ...user, id: bytes(user.id) },
    excludeCredentials: known.map((one) => ({ ...one, id: bytes(one.id) })),
  } as unknown as PublicKeyCredentialCreationOptions
  return json<Account>(
    request('POST', path('me', 'passkeys'), answer(await navigator.credentials.create({ publicKey }))),
  )
}

async function byPasskey(): Promise<Me> {
  const options = await json<Json>(request('POST', path('sign-in', 'passkey', 'question'), {}))
  const publicKey = {
    ...options,
    challenge: bytes(options.challenge),
    allowCredentials: [],
  } as unknown as PublicKeyCredentialRequestOptions
  return json<Me>(request('POST', path('sign-in', 'passkey'), answer(await navigator.credentials.get({ publicKey }))))
}

/** Signs in by some way; features do what they have to around it. */
async function signIn(by: () => Promise<Me>): Promise<Me> {
  const { features } = await import('./features')
  return features.reduce((inner, { signIn }) => (signIn ? () => signIn(inner) : inner), by)()
}

type Json = Record<string, unknown>

function bytes(text: unknown): Uint8Array<ArrayBuffer> {
  const plain = atob(String(text).replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0))
}

function text(buffer: ArrayBuffer): string {
  const plain = btoa(String.fromCharCode(...new Uint8Array(buffer)))
  return plain.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** What an authenticator has answered, as the server reads it. */
function answer(found: Credential | null): { credential: Json } {
  if (!(found instanceof PublicKeyCredential)) throw new DOMException('no passkey')
  const response: Json = { clientDataJSON: text(found.response.clientDataJSON) }
  if (found.response instanceof AuthenticatorAttestationResponse) {
    response.attestationObject = text(found.response.attestationObject)
  } else if (found.response instanceof AuthenticatorAssertionResponse) {
    response.authenticatorData = text(found.response.authenticatorData)
    response.signature = text(found.response.signature)
  }
  return { credential: { id: found.id, rawId: text(found.rawId), type: found.type, response } }
}
