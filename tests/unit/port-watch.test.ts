import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterEach, expect, it, vi } from 'vitest'
import { isPortOpen, watchPort } from '#infra/local/port-watch.ts'

const HOST = '127.0.0.1'

afterEach(() => void vi.useRealTimers())

it('a local service that accepts no connection any more is said to be gone, once; one that restarts is not', async () => {
  vi.useFakeTimers()
  let isOpen = true
  const onGone = vi.fn<() => void>()
  watchPort(async () => isOpen, onGone)
  for (let restart = 0; restart < 3; restart++) {
    isOpen = true
    await vi.advanceTimersByTimeAsync(300_000)
    isOpen = false
    await vi.advanceTimersByTimeAsync(80_000)
  }
  expect(onGone).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(20_000)
  expect(onGone).toHaveBeenCalledOnce()
  await vi.advanceTimersByTimeAsync(600_000)
  expect(onGone).toHaveBeenCalledOnce()
})

it('a port is open while somebody listens', async () => {
  const server = createServer((socket) => socket.destroy()).listen(0, HOST)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  expect(await isPortOpen(HOST, port)).toBe(true)
  await new Promise((done) => server.close(done))
  expect(await isPortOpen(HOST, port)).toBe(false)
})
