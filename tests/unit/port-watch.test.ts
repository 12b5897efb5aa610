import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterEach, expect, it, vi } from 'vitest'
import { endWithoutService, isPortOpen, watchPort } from '#infra/local/port-watch.ts'

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

it.each([
  ['all parts can be stopped', true],
  ['a part hangs', false],
])('a process whose service is gone ends with a sentence (%s)', async (_, isStopping) => {
  vi.useFakeTimers()
  const lines: string[] = []
  const exits: number[] = []
  const exit = (code: number) => void exits.push(code)
  const stop = async (code: number) => (isStopping ? exit(code) : new Promise<never>(() => {}))
  endWithoutService({ print: (line) => void lines.push(line), stop, exit })
  expect(lines).toEqual([
    expect.stringMatching(/^The service has ended and cannot be started again; .+ All data is kept/),
  ])
  await vi.advanceTimersByTimeAsync(0)
  expect(exits).toEqual(isStopping ? [1] : [])
  await vi.advanceTimersByTimeAsync(15_000)
  expect(exits[0]).toBe(1)
})

it('a port is open while somebody listens', async () => {
  const server = createServer((socket) => socket.destroy()).listen(0, HOST)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  expect(await isPortOpen(HOST, port)).toBe(true)
  await new Promise((done) => server.close(done))
  expect(await isPortOpen(HOST, port)).toBe(false)
})
