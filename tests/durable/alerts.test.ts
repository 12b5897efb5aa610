import { env, evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { ALERT, ALERT_RETRY } from '#contract/monitor/alert.ts'
import { ALERT_FILTERS } from '#contract/monitor/index.ts'
import { services } from '#db/schema/accounts.ts'
import { contacts } from '#db/schema/monitor.ts'
import type { SendResult } from '#domain/monitor/lane.ts'
import { saveWebhook } from '#features/webhook/sql.ts'
import { newHubName } from '#security/hub-name.ts'
import { mailsTo } from '#tests/support/contacts.ts'
import { createService } from '#tests/support/fixtures.ts'
import { insertHardwareRouters, unique } from '#tests/support/rows.ts'
import { db } from '#tests/support/test-worker.ts'
import { MINUTE, useMonitoredNetwork } from './monitored-network.ts'
import { until } from './support.ts'
import { sealWebhook } from '#security/webhook-target.ts'

const { network, stub, listAlerts, listDeliveries, selectMessages, report, saveSettings, sendBy, passTime, sent } =
  useMonitoredNetwork()

const selectMails = async () => (await mailsTo(network.email)).map(({ text }) => text)

describe('account 3 · a member that goes offline', () => {
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
    await saveSettings({ enabled: 0 })
    await report(network.points[0]!, 'online', 'offline')
    await passTime(10 * MINUTE)
    expect((await listAlerts()).count).toBe(0)
  })

  it('is seen by roles of its networks only', async () => {
    await report(network.points[0]!, 'online', 'offline')
    await passTime(4 * MINUTE)
    const seen = await listAlerts([network.number])
    expect(seen).toMatchObject({ count: 1, rows: [{ router_name: network.points[0]!.name }] })
    expect(seen.rows[0]?.title).toBe(`成员离线：${seen.rows[0]?.label}`)
    expect(await listAlerts(['other'])).toEqual({ rows: [], count: 0, open: 0 })
  })
})

describe('hubs.md, Alerts · a hub that is evicted', () => {
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

describe('hubs.md, Alerts · a mail server that refuses', () => {
  it('delays no site message; the record says what it answers, until it takes the mail', async () => {
    let result: SendResult = { kind: 'retry', code: '421', words: 'Try again later', afterMs: 0 }
    await sendBy({ mail: async () => result })
    await report(network.points[0]!, 'online', 'offline')
    await passTime(4 * MINUTE)
    const rows = await sent('sent', 1)
    expect(rows.find(({ channel }) => channel === 'site')?.state).toBe('sent')
    const waiting = await until(async () => (await listDeliveries()).rows.find(({ code }) => code === '421'))
    expect(waiting).toMatchObject({ state: 'pending', target: network.email, words: 'Try again later' })
    for (let hour = 0; hour < 6; hour++) await passTime(ALERT_RETRY.maxMs)
    result = { kind: 'ok', code: '250', words: '' }
    await passTime(ALERT_RETRY.maxMs)
    await sent('sent', 2)
    expect(await selectMessages()).toHaveLength(1)
  })
})

it('a service that ends is mailed and recorded also while monitoring is off', async () => {
  await saveSettings({ enabled: 0 })
  await createService(network.accountId, 'center', 1, { name: '中心点服务', expireAt: Date.now() + MINUTE })
  await stub().refresh()
  await passTime(MINUTE + 1_000)
  await passTime(ALERT.gatherMs)
  expect((await listAlerts()).rows).toMatchObject([
    { rule: 'service_expired', title: '服务到期：中心点服务', severity: 'critical', end_time: null },
  ])
  await sent('sent', 1)
  const [mail] = await selectMails()
  expect(mail).toContain('影响：不能再新增超出数量的中心点，已有中心点不受影响')
  expect(mail).toContain(
    `续费：\nhttps://console.netloom.cn/ticket/create?service_name=${encodeURIComponent('中心点服务')}`,
  )

  for (const days of [1, 1]) {
    await evictDurableObject(stub())
    await passTime(days * 24 * 60 * MINUTE)
    await stub().refresh()
    expect(await listAlerts()).toMatchObject({ count: 1, open: 1, rows: [{ end_time: null }] })
  }
  await sent('sent', 3) // its reminders, one a day
  await db
    .update(services)
    .set({ expireAt: Date.now() + 60 * MINUTE })
    .where(eq(services.accountId, network.accountId))
  await evictDurableObject(stub())
  for (let read = 0; read < 2; read++) {
    await stub().refresh()
    await passTime(MINUTE)
  }
  expect(await listAlerts()).toMatchObject({ count: 1, open: 0, rows: [{ end_time: expect.any(Number) }] })
  await sent('sent', 4)
  const ends = (await selectMails()).filter((text) => text.includes('恢复时间'))
  expect(ends).toHaveLength(1)
})

it('a member that comes back is an event, which the filter of events alone lists', async () => {
  const on = { on: true, delayMinutes: 0, severity: 'notice' } as const
  await saveSettings({ rules: JSON.stringify({ router_online: on }) })
  await report(network.points[0]!, 'never', 'online')
  await passTime(ALERT.gatherMs + 1_000)
  const titles = async (status: (typeof ALERT_FILTERS)[number]) =>
    (await listAlerts(null, status)).rows.map(({ title }) => title)
  const title = `成员上线：${network.points[0]!.name}`
  const found = await Promise.all(ALERT_FILTERS.map(titles))
  expect(Object.fromEntries(ALERT_FILTERS.map((status, i) => [status, found[i]]))).toEqual({
    '': [title],
    open: [],
    acknowledged: [],
    recovered: [],
    event: [title],
  })
  await sent('sent', 2)
  expect((await selectMessages()).map((row) => row.title)).toEqual([title])
})

describe('hubs.md, Alerts · mail servers that never answer', () => {
  it('delay neither site messages nor the webhook, whoever else is written to', async () => {
    const contactsOf = (n: number) =>
      Array.from({ length: n }, () => ({ uuid: unique('u'), email: `${unique('c')}@b.cn` }))
    const many = contactsOf(9)
    const row = {
      accountId: network.accountId,
      name: '值班',
      createdAt: 0,
      mailAt: 0,
      mailState: 'sent' as const,
      verifiedAt: 1,
    } as const
    await db.insert(contacts).values(many.map((one) => ({ ...row, ...one, expiresAt: Date.now() + 10 * 60 * MINUTE })))
    await saveSettings({ contacts: JSON.stringify(many.map(({ uuid }) => uuid)), webhookConfirm: 1 })
    const target = { type: 'other', url: 'https://hooks.example.com/a', secret: '' } as const
    const { accountId } = network
    await saveWebhook(db, await sealWebhook(env.SEAL_KEYS, target, { accountId, masked: 'x', now: 1 }))
    await stub().refresh()
    const asked: string[] = []
    await sendBy({
      mail: ({ target: to }) => {
        asked.push(to)
        return new Promise<SendResult>(() => {})
      },
      webhook: async () => ({ kind: 'ok', code: '200', words: '' }),
    })
    await report(network.points[0]!, 'online', 'offline')
    await passTime(4 * MINUTE)
    const done = await sent('sent', 2)
    expect(done.filter(({ state }) => state === 'sent').map(({ channel }) => channel)).toEqual(
      expect.arrayContaining(['site', 'webhook']),
    )
    expect(asked.length).toBeLessThanOrEqual(4)
  })
})
