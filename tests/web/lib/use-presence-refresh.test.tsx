import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { evaluateNetwork } from '#domain/health/network.ts'
import { AccountLive } from '#lib/live/account-live.tsx'
import { usePresenceRefresh } from '#lib/live/use-presence-refresh.ts'
import { states } from '../router/fixtures.ts'
import { emitFrame, missFrames, setLiveState } from './fake-live.ts'

vi.mock('#lib/live/live-connection.ts', () => import('./fake-live.ts'))

const EVERY_MS = 5_000
const read = vi.fn<() => void>()
const onStates = vi.fn<() => void>()

function Page({ onMissed }: { readonly onMissed?: () => void }) {
  return usePresenceRefresh({ everyMs: EVERY_MS, read, onStates, ...(onMissed && { onMissed }) })
}
const open = (onMissed?: () => void) =>
  render(
    <AccountLive>
      <Page {...(onMissed && { onMissed })} />
    </AccountLive>,
  )
const frame = (router_name: string) =>
  emitFrame('account', { type: 'routers', data: [{ router_name, ...states({ state: 'offline' }) }] })
const wait = (ms: number) => act(() => vi.advanceTimersByTime(ms))

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: false, toFake: ['setTimeout', 'clearTimeout'] })
  vi.clearAllMocks()
})
afterEach(() => void vi.useRealTimers())

it('passes each frame on at once, and throttles reads', async () => {
  open()
  await frame('a')
  await frame('b')
  expect(onStates).toHaveBeenCalledTimes(2)
  wait(EVERY_MS - 1_000)
  expect(read).not.toHaveBeenCalled()
  wait(1_000)
  expect(read).toHaveBeenCalledTimes(1)
  wait(EVERY_MS)
  expect(read).toHaveBeenCalledTimes(1)
  await frame('c')
  wait(EVERY_MS)
  expect(read).toHaveBeenCalledTimes(2)
})

it('reads again when the health of a network changed, which changes no row in place', async () => {
  open()
  const { health } = evaluateNetwork([], [])
  await emitFrame('account', { type: 'networks', data: [{ network_number: 'N1', health }] })
  expect(onStates).not.toHaveBeenCalled()
  wait(EVERY_MS)
  expect(read).toHaveBeenCalledTimes(1)
})

it('reads again once the channel has opened: what changed since the page was read came in no frame', async () => {
  open()
  const counted = () => emitFrame('account', { type: 'account', data: { unread: 0 } })
  await counted()
  expect(read).toHaveBeenCalledTimes(1)
  await counted()
  wait(EVERY_MS)
  expect(read).toHaveBeenCalledTimes(1)
})

it('reads at once when frames were missed and when the channel goes down, and returns its state', async () => {
  open()
  await missFrames('account')
  expect(read).toHaveBeenCalledTimes(1)
  await setLiveState('account', 'down')
  expect(read).toHaveBeenCalledTimes(2)
  expect(screen.queryByText('down')).not.toBeNull()
  await setLiveState('account', 'live')
  expect(read).toHaveBeenCalledTimes(2)
})

it('leaves missed frames, and changes before the first one, to the page that handles them', async () => {
  const onMissed = vi.fn<() => void>()
  open(onMissed)
  await missFrames('account')
  expect(onMissed).toHaveBeenCalledTimes(1)
  await emitFrame('account', { type: 'account', data: { unread: 0 } })
  expect(onMissed).toHaveBeenCalledTimes(2)
  wait(EVERY_MS)
  expect(read).not.toHaveBeenCalled()
})

it('reads nothing for a page that has been left', async () => {
  const { unmount } = open()
  await frame('a')
  unmount()
  wait(EVERY_MS)
  expect(read).not.toHaveBeenCalled()
})
