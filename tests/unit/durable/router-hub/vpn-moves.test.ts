import { expect, it } from 'vitest'
import { VPN } from '#contract/device/limits.ts'
import { arePeersDue } from '#durable/router-hub/state/outbox.ts'
import { updateOutbox } from '#durable/router-hub/state/state-change.ts'
import { type DeviceFacts, type RouterState, blankRouter, unknownDevice } from '#durable/router-hub/state/storage.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const T0 = 1_800_000_000_000
const withDevice = (device: DeviceFacts | null): RouterState => ({ ...blankRouter, device })
const device = (capabilities: readonly string[] | null, over: Partial<DeviceFacts> = {}): DeviceFacts => ({
  ...unknownDevice,
  capabilities,
  ...over,
})
const arePeersMoved = (from: DeviceFacts | null, to: DeviceFacts) => {
  const context = { before: withDevice(from), effects: [], now: T0 } as unknown as Parameters<typeof updateOutbox>[2]
  const [{ outbox }] = updateOutbox(withDevice(to), { type: 'due' }, context)
  return arePeersDue(outbox, T0)
}

it('infra/docs/hubs.md · peers are compiled anew where a device begins or ceases to run tunnels, and not otherwise', async () => {
  const tunnels = ['report', VPN.capability]
  const cases = [
    ['first hello', null, device(tunnels), true],
    ['begins', device(['report']), device(tunnels), true],
    ['ceases', device(tunnels), device(['report']), true],
    ['reconnects', device(tunnels), device(tunnels, { remotePort: 4711 }), false],
    ['gets another capability', device(tunnels), device([...tunnels, 'sm4']), false],
    ['reports no tunnels first', null, device([]), false],
    ['is of an earlier release', device(null), device([]), false],
  ] as const
  const offenders = await findOffenders(cases.map(([name, ...rest]) => [name, rest] as const))(
    (_, [from, to, isMoved]) => {
      expect(arePeersMoved(from, to)).toBe(isMoved)
    },
  )
  expect(offenders).toEqual([])
})
