import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import type { AlertChannels } from '../../durable/account-hub/alert-channels.ts'
import { ALERT, ALERT_RETRY } from '../../worker/contract/alert.ts'
import type { AlertAnswer, DeliveryAnswer } from '../../worker/contract/hubs.ts'
import type { PresenceState } from '../../worker/contract/protocol.ts'
import { noConfig } from '../../worker/domain/router/presence.ts'
import type { SendResult } from '../../worker/domain/alert/delivery.ts'
import { accounts, outbox } from '../../worker/db/schema/accounts.ts'
import { contacts } from '../../worker/db/schema/contacts.ts'
import { monitorSettings } from '../../worker/db/schema/monitor.ts'
import { messages } from '../../worker/db/schema/notices.ts'
import { createService } from '../support/fixtures.ts'
import { insertHardwareRouters, unique } from '../support/rows.ts'
import { newHubName } from '../../worker/security/hub-name.ts'
import { db } from '../support/test-worker.ts'
import { type TestNetwork, type TestRouter, accountStub, createHubNetwork, later, until } from './support.ts'

const MINUTE = 60_000
const ALL = { networks: null, page: 1, limit: 50 }

let network: TestNetwork
let email: string
beforeEach(async () => {
  network = await createHubNetwork(2)
  email = `${unique('m')}@example.com`
  await db.update(accounts).set({ email }).where(eq(accounts.id, network.accountId))
  const on = { accountId: network.accountId, enabled: 1, emailConfirm: 1, updatedAt: Date.now() }
  await db.insert(monitorSettings).values(on)
  await accountStub(network).refresh()
})

const stub = () => accountStub(network)
const listAlerts = async (networks: readonly string[] | null = null) =>
  (await stub().rpc(undefined, 'alerts', [{ ...ALL, networks, search: '', status: '', rule: '' }])) as AlertAnswer
const listDeliveries = async () =>
  (await stub().rpc(undefined, 'alertDeliveries', [{ ...ALL, channel: '', state: '', alertId: '' }])) as DeliveryAnswer
const selectMessages = () =>
  db.select().from(messages).where(eq(messages.accountId, network.accountId)).orderBy(messages.id)

function report(
  router: Pick<TestRouter, 'hub' | 'name'>,
  from: PresenceState,
  to: PresenceState,
  at = Date.now(),
): Promise<void> {
  return stub().routerChanged({
    routerHub: router.hub,
    routerName: router.name,
    moves: [{ from, to, at, reason: '75 秒未收到心跳' }],
    missing: [],
    unsupported: [],
    seenIn: [network.number],
    presence: { state: to, since: at, last_seen: at, reason: '75 秒未收到心跳' },
    config: noConfig,
  })
}

/** Replaces where the hub sends to, until it is evicted. */
const sendBy = (channels: Partial<AlertChannels>) =>
  runInDurableObject(stub(), (hub) => {
    hub['monitor']['channels'] = { ...hub['monitor']['channels'], ...channels }
  })

async function passTime(ms: number): Promise<void> {
  later(ms)
  await runDurableObjectAlarm(stub())
}
const sent = (state: string, n: number) =>
  until(async () => {
    const { rows } = await listDeliveries()
    return rows.filter((row) => row.state === state).length === n ? rows : undefined
  })

describe('a member that goes offline', () => {
  it('is an alert after three minutes: record, site message and mail; its return ends it', async () => {
    const [point] = network.points
    await report(point!, 'online', 'offline')
    await passTime(2 * MINUTE)
    expect((await listAlerts()).count).toBe(0)
    await passTime(MINUTE + 1_000)
    expect(await listAlerts()).toMatchObject({
      open: 1,
      rows: [{ rule: 'router_offline', title: `成员离线：${point!.name}`, router_name: point!.name, end_time: null }],
    })
    await sent('sent', 2)
    expect(await selectMessages()).toMatchObject([
      { type: '告警', title: `成员离线：${point!.name}`, routerName: point!.name },
    ])
    await report(point!, 'offline', 'online')
    await passTime(10)
    await sent('sent', 4)
    expect(await listAlerts()).toMatchObject({ open: 0, rows: [{ end_time: expect.any(Number) }] })
    expect((await selectMessages()).map(({ title }) => title)).toEqual([
      `成员离线：${point!.name}`,
      `已恢复：成员离线：${point!.name}`,
    ])
  })

  it('with its centre is one alert of the centre, with the members folded', async () => {
    for (const router of [...network.points, network.center]) await report(router, 'online', 'offline')
    await passTime(4 * MINUTE)
    const { rows } = await listAlerts()
    expect(rows).toMatchObject([{ router_name: network.center.name, folded: 2 }])
    const children = await stub().rpc(undefined, 'alertChildren', [rows[0]!.alert_id, null])
    expect(children).toHaveLength(2)
    await sent('sent', 2)
  })

  it('with a thousand others is one alert, one site message and one mail', async () => {
    const names = Array.from({ length: 1_000 }, (_, i) => unique(`NL${i}-`))
    await insertHardwareRouters(network.accountId, names)
    const members = names.map((name) => ({ name, hub: newHubName('default') }))
    for (const member of members) await report(member, 'online', 'offline')
    await passTime(4 * MINUTE)
    await sent('sent', 2)
    const { rows, count } = await listAlerts()
    expect([count, rows[0]?.title]).toEqual([1, '1000个成员离线'])
    expect(await selectMessages()).toHaveLength(1)
    for (const member of members) await report(member, 'offline', 'online')
    await passTime(10)
    await sent('sent', 4)
    expect(await listAlerts()).toMatchObject({ count: 1, open: 0 })
  })

  it('is none while monitoring is off', async () => {
    await db.update(monitorSettings).set({ enabled: 0 }).where(eq(monitorSettings.accountId, network.accountId))
    await stub().refresh()
    await report(network.points[0]!, 'online', 'offline')
    await passTime(10 * MINUTE)
    expect((await listAlerts()).count).toBe(0)
  })

  it('is seen by roles of its networks only', async () => {
    await report(network.points[0]!, 'online', 'offline')
    await passTime(4 * MINUTE)
    expect((await listAlerts([network.number])).count).toBe(1)
    expect(await listAlerts(['other'])).toEqual({ rows: [], count: 0, open: 0 })
  })
})

describe('a hub that is evicted', () => {
  it('keeps what it waits for, and sends nothing twice', async () => {
    await report(network.points[0]!, 'online', 'offline')
    await evictDurableObject(stub())
    await passTime(4 * MINUTE)
    await sent('sent', 2)
    await evictDurableObject(stub())
    await passTime(10 * MINUTE)
    expect(await selectMessages()).toHaveLength(1)
    expect((await listDeliveries()).count).toBe(2)
  })

  it('while a receiver hangs sends the same event id again', async () => {
    const ids: string[] = []
    await sendBy({
      mail: ({ id }) => {
        ids.push(id)
        return new Promise<SendResult>(() => {})
      },
    })
    await report(network.points[0]!, 'online', 'offline')
    await passTime(4 * MINUTE)
    await until(() => (ids.length === 1 ? true : undefined))
    await runInDurableObject(stub(), (_, state) => state.abort('crash')).catch(() => {})
    await sendBy({
      mail: async ({ id }) => {
        ids.push(id)
        return { kind: 'ok', code: '', words: '' }
      },
    })
    await passTime(ALERT_RETRY.claimMs + 1_000)
    await sent('sent', 2)
    expect(new Set(ids).size).toBe(1)
    expect(ids).toHaveLength(2)
  })

  it('behind a stored site message adds none', async () => {
    const channels = await runInDurableObject(stub(), (hub) => hub['monitor']['channels'])
    let tries = 0
    await sendBy({
      site: async (accountId, deliveries) => {
        await channels.site(accountId, deliveries)
        if (++tries === 1) throw new Error('Network connection lost.')
      },
    })
    await report(network.points[0]!, 'online', 'offline')
    await passTime(4 * MINUTE)
    await until(() => (tries === 1 ? true : undefined))
    await passTime(ALERT_RETRY.maxMs)
    await sent('sent', 2)
    expect([tries, (await selectMessages()).length]).toEqual([2, 1])
  })
})

describe('a mail server that refuses', () => {
  it('delays no site message; the record says what it answers, until it takes the mail', async () => {
    let result: SendResult = { kind: 'retry', code: '421', words: 'Try again later', afterMs: 0 }
    await sendBy({ mail: async () => result })
    await report(network.points[0]!, 'online', 'offline')
    await passTime(4 * MINUTE)
    const rows = await sent('sent', 1)
    expect(rows.find(({ channel }) => channel === 'site')?.state).toBe('sent')
    const waiting = await until(async () => (await listDeliveries()).rows.find(({ code }) => code === '421'))
    expect(waiting).toMatchObject({ state: 'pending', target: email, words: 'Try again later' })
    for (let hour = 0; hour < 6; hour++) await passTime(ALERT_RETRY.maxMs)
    result = { kind: 'ok', code: '250', words: '' }
    await passTime(ALERT_RETRY.maxMs)
    await sent('sent', 2)
    expect(await selectMessages()).toHaveLength(1)
  })
})

it('a service that ends is mailed and recorded also while monitoring is off', async () => {
  await db.update(monitorSettings).set({ enabled: 0 }).where(eq(monitorSettings.accountId, network.accountId))
  await createService(network.accountId, 'center', 1, { name: '中心点服务', expireAt: Date.now() + MINUTE })
  await stub().refresh()
  await passTime(MINUTE + 1_000)
  await passTime(ALERT.gatherMs)
  expect((await listAlerts()).rows).toMatchObject([
    { rule: 'service_expired', title: '服务到期：中心点服务', severity: 'critical' },
  ])
  await sent('sent', 1)
})

const mailsTo = (to: string) => db.select({ body: outbox.body }).from(outbox).where(eq(outbox.recipient, to))

describe('contacts', () => {
  const insertContact = async (at: number | null) => {
    const row = { uuid: unique('u'), name: '值班', email: `${unique('c')}@example.com`, createdAt: 0, mailAt: 0 }
    const verified = {
      ...row,
      accountId: network.accountId,
      mailState: 'sent',
      verifiedAt: at === null ? null : 1,
      expiresAt: at,
    } as const
    await db.insert(contacts).values(verified)
    return row
  }

  it('that are ticked get the mail while they may be written to, with a link to unsubscribe', async () => {
    const [good, unverified, over, other] = [
      await insertContact(Date.now() + 86_400_000),
      await insertContact(null),
      await insertContact(1),
      await insertContact(Date.now() + 86_400_000),
    ]
    const ticked = JSON.stringify([good, unverified, over].map(({ uuid }) => uuid))
    await db.update(monitorSettings).set({ contacts: ticked }).where(eq(monitorSettings.accountId, network.accountId))
    await stub().refresh()
    await report(network.center, 'online', 'offline')
    await passTime(4 * MINUTE)
    await sent('sent', 3)
    expect((await mailsTo(good.email))[0]?.body).toContain('/validate/unsubscribe?s=')
    expect((await mailsTo(email))[0]?.body).not.toContain('unsubscribe')
    for (const { email: to } of [unverified, over, other]) expect(await mailsTo(to)).toEqual([])
  })
})
