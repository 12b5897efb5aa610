import { expect, it } from 'vitest'
import { PRESENCE } from '#contract/kernel/hub-limits.ts'
import { presenceView, stepPresence } from '#durable/router-hub/state/presence.ts'
import { type RouterState, blankRouter, unknownRouter } from '#durable/router-hub/state/storage.ts'
import { updateOutbox } from '#durable/router-hub/state/state-change.ts'

const T0 = 1_800_000_000_000
const online: RouterState = {
  ...blankRouter,
  router: { ...unknownRouter, routerName: 'r' },
  presence: {
    ...blankRouter.presence,
    connected: true,
    greeted: true,
    base: 'online',
    epoch: 3,
    loggedEpoch: 3,
    lastSeen: T0,
    since: T0,
  },
}
const lost = { online: 0, epoch: 3, reason: '超过75秒没有心跳', type: 'log' } as const

/** Outbox after a device was found away, with its last contact. */
function outboxOf(lastSeen: number, state: Partial<RouterState['presence']>, now: number) {
  const presence = { ...online.presence, connected: false, greeted: false, lastSeen, since: now, ...state }
  const after = { ...online, presence }
  const context = { before: online, effects: [lost], now } as unknown as Parameters<typeof updateOutbox>[2]
  const [{ outbox }] = updateOutbox(after, { type: 'due' }, context)
  return { move: outbox.moves?.[0]?.at, log: outbox.logs[0]?.at, shown: presenceView(presence).last_seen }
}

it('离线 begins with the last contact in history and log, as in the head; the decision came later', () => {
  const [contact, now] = [T0 + 500_000, T0 + 500_000 + PRESENCE.leaseMs]
  expect(outboxOf(contact, { base: 'offline' }, now)).toEqual({ move: contact, log: contact, shown: contact })
  expect(outboxOf(T0 - 9, { base: 'offline' }, now).move).toBe(T0) // never before it came online
})

it('other changes happen at their decision', () => {
  const now = T0 + 90_000
  expect(outboxOf(T0 + 5_000, { base: 'disabled' }, now).move).toBe(now)
  expect(outboxOf(T0 + 5_000, { base: 'online', flapping: true }, now)).toMatchObject({ move: now, log: now })
})

it('a device that did not come back after a restart was there last when its new hub began to look', () => {
  const decideAt = T0 + 900_000 + PRESENCE.leaseMs
  const { presence } = stepPresence({ ...online.presence, decideAt }, { type: 'due' }, decideAt)
  expect(presence).toMatchObject({ base: 'offline', lastSeen: T0 + 900_000 })
})
