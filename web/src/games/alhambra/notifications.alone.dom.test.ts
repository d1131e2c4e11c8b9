import { expect, test, vi } from 'vitest'
import { all, press, settled, sit, the, until, words } from '../../testing/page'
import { tape } from '../../testing/tape'

test('who has moved and waits for others is asked once whether they want to be told, and nobody before', async () => {
  const permission = vi.fn<() => Promise<string>>(async () => 'denied')
  vi.stubGlobal('Notification', { permission: 'default', requestPermission: permission })
  vi.stubGlobal('PushManager', {})
  vi.stubGlobal('isSecureContext', true)
  Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: { register: async () => undefined } })
  const told = tape('late', 'alhambra').answer('GET /api/turns', { tables: [], going: [] })
  const asks = (): HTMLElement | undefined =>
    all('status').find((one) => words(one).startsWith('Should this browser tell you'))
  await sit(told)
  await settled()
  expect(asks()).toBeUndefined()
  await press(the('button', /^garden 9/))
  await press(the('button', 'Buy it'))
  await press(the('button', 'Green 8', the('region', 'Open money')))
  await press(the('button', 'Take the money'))
  const question = await until(asks)
  expect(permission).not.toHaveBeenCalled()
  told.answer('GET /api/me/news', { push_key: '', ways: [] })
  await press(the('button', 'Yes, tell me'))
  await until(() => permission.mock.calls.length)
  await settled()
  expect(words(question)).toBe('As you like: no notifications in this browser.')
  await press(the('button', 'Close'))
  expect(question.isConnected).toBe(false)
})
