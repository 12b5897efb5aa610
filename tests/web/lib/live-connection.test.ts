import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { CONSOLE_SOCKET } from '#contract/kernel/hub-limits.ts'
import { evaluateNetwork } from '#domain/health/network.ts'
import { createSession } from './fixtures.ts'
import { fakeApi } from './fake-api.ts'
import { FakeSocket } from './fake-socket.ts'

const member = { router_name: 'R1', presence: { state: 'online', since: 1, last_seen: 1, reason: '' } }

async function connect() {
  let tickets = 0
  const api = fakeApi({
    'login/refresh': { data: createSession() },
    'router/traffic_ticket': () => ({ data: { ticket: `T${++tickets}`, expires_in: 30 } }),
  })
  vi.resetModules()
  const { LiveConnection } = await import('#lib/live/live-connection.ts')
  const received: string[] = []
  const connection = new LiveConnection(
    { kind: 'network', network_number: 'N 1' },
    {
      onFrame: ({ type, seq }) => received.push(`${type} ${seq}`),
      onState: (state) => received.push(state),
      onMissed: () => received.push('missed'),
    },
  )
  await vi.advanceTimersByTimeAsync(0)
  return { api, connection, received, socket: () => FakeSocket.all.at(-1) as FakeSocket }
}

beforeEach(() => {
  vi.useFakeTimers()
  FakeSocket.all = []
  vi.stubGlobal('WebSocket', FakeSocket)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const { health } = evaluateNetwork([], [])
const snapshot = (seq: number) => ({ code: 200, seq, type: 'snapshot', data: { seq, members: [], links: [], health } })

it('opens with a fresh ticket each time and acknowledges every frame', async () => {
  const { connection, received, socket, api } = await connect()
  expect(api.last('router/traffic_ticket')?.input).toEqual({ kind: 'network', network_number: 'N 1' })
  const url = new URL(socket().url)
  expect([url.protocol, url.pathname, url.searchParams.get('network_number'), url.searchParams.get('ticket')]).toEqual([
    'ws:',
    '/api/v1/network/live',
    'N 1',
    'T1',
  ])
  socket().open()
  socket().emitFrame(snapshot(3))
  socket().emitFrame({ code: 200, seq: 4, type: 'from-a-newer-hub', data: member })
  expect(socket().sent).toEqual(['{"type":"ack","seq":3}', '{"type":"ack","seq":4}'])
  expect(received).toEqual(['live', 'snapshot 3'])

  socket().onclose?.({ code: 1006 })
  expect(received.at(-1)).toBe('down')
  await vi.advanceTimersByTimeAsync(13_001)
  expect(new URL(socket().url).searchParams.get('ticket')).toBe('T2')
  socket().open()
  expect(received.slice(-2)).toEqual(['missed', 'live'])
  connection.stop()
})

it('names the members that are shown once it is open, when they change, and on the next socket', async () => {
  const { connection, socket } = await connect()
  connection.show(['R1', 'R2'])
  expect(socket().sent).toEqual([])
  socket().open()
  connection.show(['R3'])
  connection.show([])
  expect(socket().sent).toEqual(['{"type":"visible","members":["R1","R2"]}', '{"type":"visible","members":["R3"]}'])
  connection.show(['R4'])
  socket().onclose?.({ code: 1006 })
  await vi.advanceTimersByTimeAsync(13_001)
  socket().open()
  expect(socket().sent).toEqual(['{"type":"visible","members":["R4"]}'])
  connection.stop()
})

it('ignores events of an abandoned socket', async () => {
  const { connection, received, socket } = await connect()
  const first = socket()
  first.open()
  connection.stop()
  first.emitFrame(snapshot(1))
  first.onclose?.({ code: 1006 })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(received).toEqual(['live'])
  expect(FakeSocket.all).toHaveLength(1)
})

it('closes a cancelled socket only once it is open: closing earlier logs a browser warning', async () => {
  const { connection, received, socket } = await connect()
  connection.stop()
  expect(socket().readyState).toBe(0)
  socket().open()
  expect([socket().readyState, received]).toEqual([3, []])
})

it('closes its socket in a hidden tab, and reconnects when visible', async () => {
  const { connection, socket } = await connect()
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  socket().open()
  document.dispatchEvent(new Event('visibilitychange'))
  await vi.advanceTimersByTimeAsync(CONSOLE_SOCKET.hiddenMs - 1)
  expect(socket().readyState).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(socket().readyState).toBe(3)
  hidden.mockReturnValue(false)
  document.dispatchEvent(new Event('visibilitychange'))
  await vi.advanceTimersByTimeAsync(0)
  expect(FakeSocket.all).toHaveLength(2)
  connection.stop()
  hidden.mockRestore()
})

it('drops a socket that answers no ping', async () => {
  const { connection, received, socket } = await connect()
  const first = socket()
  first.open()
  await vi.advanceTimersByTimeAsync(30_000)
  expect(first.sent).toEqual(['ping'])
  await vi.advanceTimersByTimeAsync(20_000)
  expect([first.readyState, received.at(-1)]).toEqual([3, 'down'])
  connection.stop()
})

it.each<[string, () => void]>([
  ['the page becomes visible', () => document.dispatchEvent(new Event('visibilitychange'))],
  ['the window gets the focus', () => dispatchEvent(new Event('focus'))],
  ['the browser is online again', () => dispatchEvent(new Event('online'))],
])('waits longer and longer, but connects at once when %s', async (_, trigger) => {
  const { connection, socket } = await connect()
  const random = vi.spyOn(Math, 'random').mockReturnValue(0.5)
  for (const waitMs of [10_000, 20_000, 40_000]) {
    const { length } = FakeSocket.all
    socket().onclose?.({ code: 1006 })
    await vi.advanceTimersByTimeAsync(waitMs - 1)
    expect(FakeSocket.all).toHaveLength(length)
    await vi.advanceTimersByTimeAsync(1)
    expect(FakeSocket.all).toHaveLength(length + 1)
  }
  const { length } = FakeSocket.all
  socket().onclose?.({ code: 1006 })
  trigger()
  await vi.advanceTimersByTimeAsync(0)
  expect(FakeSocket.all).toHaveLength(length + 1)
  trigger() // while it connects, that changes nothing
  await vi.advanceTimersByTimeAsync(0)
  expect(FakeSocket.all).toHaveLength(length + 1)
  connection.stop()
  random.mockRestore()
})
