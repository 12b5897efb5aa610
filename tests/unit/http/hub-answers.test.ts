import { afterEach, expect, it, vi } from 'vitest'
import { HUB_CALL } from '#contract/kernel/hub-limits.ts'
import { REQUEST_TIMEOUT_MS } from '#contract/kernel/limits.ts'
import type { LiveHubs } from '#http/context.ts'
import { HubAway, answeringHubs } from '#http/hub-answers.ts'

const HUB = `default.${'a'.repeat(32)}`
const VIEWER = { by: 'viewer' } as never

const hubsThat = (answer: () => Promise<unknown>) => {
  const methods = new Proxy({}, { get: () => answer })
  const port = () => methods
  return answeringHubs({
    router: port,
    network: port,
    account: port,
    directory: port,
    connect: answer,
  } as unknown as LiveHubs)
}

afterEach(() => void vi.useRealTimers())

it('hubs.md, Silent hubs · a hub that hangs is away before the console gives up', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  expect(HUB_CALL.answerMs).toBeLessThan(REQUEST_TIMEOUT_MS)
  const hubs = hubsThat(() => new Promise(() => {}))
  const asked = [hubs.router(HUB).traffic(), hubs.network(HUB).status(1), hubs.connect('account', HUB, VIEWER)]
  const settled = Promise.allSettled(asked)
  await vi.advanceTimersByTimeAsync(HUB_CALL.answerMs)
  for (const result of await settled) expect(result).toMatchObject({ status: 'rejected', reason: { name: 'HubAway' } })
})

it('a directory that is asked for longer is waited for: its hub has time limits of its own', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const asked = hubsThat(() => new Promise((done) => setTimeout(done, HUB_CALL.answerMs * 2, 'users'))).directory(HUB)
  const state = asked.state()
  await vi.advanceTimersByTimeAsync(HUB_CALL.answerMs * 2)
  expect(await state).toBe('users')
})

it('the error of the call is its cause, and its stack the one that is logged', async () => {
  const error = new Error('internal error; reference = 1')
  const away = await hubsThat(() => Promise.reject(error))
    .router(HUB)
    .traffic()
    .catch((reason: unknown) => reason)
  expect(away).toBeInstanceOf(HubAway)
  expect(away).toMatchObject({ cause: error, stack: error.stack, key: 'ROUTER_UNREADABLE' })
})
