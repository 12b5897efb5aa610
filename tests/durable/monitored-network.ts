import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { beforeEach } from 'vitest'
import type { AlertChannels } from '#durable/account-hub/alerts/alert-channels.ts'
import type { PresenceState } from '#contract/kernel/protocol.ts'
import type { AlertAnswer, AlertQuestion, DeliveryAnswer } from '#contract/monitor/index.ts'
import { noConfig } from '#domain/router/presence.ts'
import { accounts } from '#db/schema/accounts.ts'
import { monitorSettings } from '#db/schema/monitor.ts'
import { messages } from '#db/schema/notices.ts'
import { unique } from '#tests/support/rows.ts'
import { db } from '#tests/support/test-worker.ts'
import { type TestNetwork, type TestRouter, accountStub, createHubNetwork, later, until } from './support.ts'
import { stopClock } from './clock.ts'

export const MINUTE = 60_000
const ALL = { networks: null, page: 1, limit: 100 }

/** For each test a network of an account of its own, whose alerts are on and go by mail; `network` is always that of the test that runs. */
export function useMonitoredNetwork(points = 2) {
  const network = {} as TestNetwork & { email: string }
  beforeEach(async () => {
    stopClock()
    const email = `${unique('m')}@example.com`
    Object.assign(network, await createHubNetwork(points), { email })
    await db.update(accounts).set({ email }).where(eq(accounts.id, network.accountId))
    const on = { accountId: network.accountId, enabled: 1, emailConfirm: 1, updatedAt: Date.now() }
    await db.insert(monitorSettings).values(on)
    await stub().refresh()
  })
  const stub = () => accountStub(network)
  const listAlerts = async (networks: readonly string[] | null = null, status: AlertQuestion['status'] = '') =>
    (await stub().rpc(undefined, 'alerts', [{ ...ALL, networks, search: '', status, rule: '' }])) as AlertAnswer
  const listDeliveries = async (over: object = {}) => {
    const question = { ...ALL, channel: '', state: '', alertId: '', target: '', ...over }
    return (await stub().rpc(undefined, 'alertDeliveries', [question])) as DeliveryAnswer
  }
  return {
    network,
    stub,
    listAlerts,
    listDeliveries,
    selectMessages: () =>
      db.select().from(messages).where(eq(messages.accountId, network.accountId)).orderBy(messages.id),
    report(
      { hub, name }: Pick<TestRouter, 'hub' | 'name'>,
      from: PresenceState,
      to: PresenceState,
      at = Date.now(),
    ): Promise<void> {
      const reason = '75 秒未收到心跳'
      return stub().routerChanged({
        routerHub: hub,
        routerName: name,
        moves: [{ from, to, at, reason }],
        missing: [],
        unsupported: [],
        seenIn: [network.number],
        presence: { state: to, since: at, last_seen: at, reason },
        config: noConfig,
      })
    },
    async saveSettings(set: Partial<typeof monitorSettings.$inferInsert>): Promise<void> {
      await db.update(monitorSettings).set(set).where(eq(monitorSettings.accountId, network.accountId))
      await stub().refresh()
    },
    /** Until it is evicted, alarms are those of alerts and deliveries alone. */
    sweepNothing: () =>
      runInDurableObject(stub(), (hub) => {
        Object.assign(hub, { leaseCheckMs: () => null })
      }),
    /** Replaces where the hub sends to, until it is evicted. */
    sendBy: (channels: Partial<AlertChannels>) =>
      runInDurableObject(stub(), (hub) => {
        hub['monitor']['channels'] = { ...hub['monitor']['channels'], ...channels }
      }),
    async passTime(ms: number): Promise<void> {
      later(ms)
      await runDurableObjectAlarm(stub())
    },
    /** Every alarm of so long, each at its time, with all that it sends. */
    async passAlarms(ms: number): Promise<void> {
      const end = Date.now() + ms
      for (;;) {
        const at = await runInDurableObject(stub(), async (hub, { storage }) => {
          await until(() => (hub['monitor']['lanes']['running'].size === 0 ? true : undefined))
          return storage.getAlarm()
        })
        if (at === null || at > end) break
        later(Math.max(0, at - Date.now()))
        await runDurableObjectAlarm(stub())
      }
      later(Math.max(0, end - Date.now()))
    },
    /** Waits until so many deliveries are in that state. */
    sent: (state: string, n: number) =>
      until(async () => {
        const { rows } = await listDeliveries()
        return rows.filter((row) => row.state === state).length === n ? rows : undefined
      }),
  }
}
