import { env, evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAlertChannels } from '#durable/account-hub/alerts/alert-channels.ts'
import { refuse } from '#contract/kernel/errors.ts'
import type { WebhookType } from '#contract/kernel/outside.ts'
import type { Delivery } from '#domain/monitor/delivery.ts'
import { accounts } from '#db/schema/accounts.ts'
import { alertCommands } from '#db/schema/monitor.ts'
import { saveWebhook, selectWebhook } from '#features/webhook/sql.ts'
import { createWebhooks } from '#outside/webhook/webhooks.ts'
import { oneInTurn } from '#tests/support/depth.ts'
import { openFakes } from '#tests/support/fake-services.ts'
import { db } from '#tests/support/test-worker.ts'
import { unique } from '#tests/support/rows.ts'
import { holdTimers } from './clock.ts'
import { MINUTE, useMonitoredNetwork } from './monitored-network.ts'
import { openWebhook, sealWebhook } from '#security/webhook-target.ts'

const HOUR = 60 * MINUTE
const {
  network,
  stub,
  listAlerts,
  listDeliveries,
  selectMessages,
  report,
  saveSettings,
  sendBy,
  sweepNothing,
  passAlarms,
} = useMonitoredNetwork(4)
const { arrived, clearFakes, fakes, setModes } = openFakes('alerts')
beforeEach(() => sweepNothing())
afterEach(clearFakes)

type Channel = 'mail' | WebhookType

const ADDRESS: Readonly<Record<WebhookType, string>> = {
  dingtalk: 'https://oapi.dingtalk.com/robot/send?access_token=',
  feishu: 'https://open.feishu.cn/open-apis/bot/v2/hook/',
  wechat: 'https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=',
  other: 'https://hooks.example.com/',
}
const FAKE: Readonly<Record<Channel, string>> = {
  mail: 'smtp',
  dingtalk: 'dingtalk',
  feishu: 'feishu',
  wechat: 'wecom',
  other: 'internet',
}

/** Sends through the real adapters to fakes that behave like the vendors'. */
const sendToFakes = () =>
  runInDurableObject(stub(), (hub) => {
    const outside = { ...env, ...fakes.bindings }
    hub['monitor']['channels'] = { ...hub['monitor']['channels'], ...createAlertChannels(outside, network.accountHub) }
  })

/** No answer in time: the adapters' own words for it, without the ten seconds. */
function timeOut(channel: Channel) {
  if (channel === 'mail') return sendBy({ mail: async () => ({ ...TIMEOUT_OF_MAIL, afterMs: 0 }) })
  const late = async () => refuse('OUTBOUND_TIMEOUT', { host: 'example.com', seconds: 10 })
  const webhooks = createWebhooks({ toUrl: late, toDomain: late, toProvider: late })
  const webhook = async ({ id: eventId, event, at, title, lines }: Delivery) => {
    const [row] = await selectWebhook(db, eq(accounts.id, network.accountId))
    return webhooks.send(await openWebhook(env.SEAL_KEYS, row!), {
      eventId,
      event,
      at,
      title,
      lines,
      data: {},
      sender: { brand: null, account: '' },
    })
  }
  return sendBy({ webhook })
}
const TIMEOUT_OF_MAIL = { kind: 'retry', code: 'TIMEOUT', words: 'no answer in 8 s' } as const

/** Only this channel, at an address of its own; what arrived there is found by `to`. */
async function useChannel(channel: Channel): Promise<{ to: string }> {
  if (channel === 'mail') return { to: network.email }
  const key = unique('robot').padEnd(8, 'x')
  const url = `${ADDRESS[channel]}${key}`
  const { accountId } = network
  await saveWebhook(
    db,
    await sealWebhook(env.SEAL_KEYS, { type: channel, url, secret: '' }, { accountId, masked: 'x', now: Date.now() }),
  )
  await saveSettings({ emailConfirm: 0, webhookConfirm: 1 })
  return { to: channel === 'other' ? url : key }
}

/** Event ids that were accepted, of repeated ones each. */
async function acceptedBy(channel: Channel, to: string): Promise<readonly string[]> {
  const all = (await arrived(FAKE[channel], to)).filter(({ answer }) => answer === 'ok' || answer === '250')
  return all.map(({ detail, text }) => {
    if (channel === 'other') return String(detail['webhook-id'])
    if (channel !== 'mail') return /事件编号：(\S+)/.exec(text)?.[1] ?? ''
    const headers = detail['headers'] as readonly { readonly key: string; readonly value: string }[]
    return /<(.+)@/.exec(headers.find(({ key }) => key === 'message-id')?.value ?? '')?.[1] ?? ''
  })
}
const sentBy = async (channel: Channel) =>
  (await listDeliveries({ channel: channel === 'mail' ? 'mail' : 'webhook' })).rows

/** Channels that the overview names as failing. */
const failingChannels = async () =>
  ((await stub().health({ networks: [], since: 0 })).channels ?? []).map(
    ({ channel, target }) => `${channel} ${target}`,
  )

/** Three members that go at different times: none is explained by another. */
async function goOneByOne(): Promise<void> {
  for (const point of network.points.slice(0, 3)) {
    await report(point, 'online', 'offline')
    await passAlarms(4 * MINUTE)
  }
}

const FAILURES: Readonly<
  Record<Channel, Readonly<Record<'refusal' | 'throttle', readonly [mode: string, code: string]>>>
> = {
  mail: { refusal: ['auth', '535'], throttle: ['busy', '451'] },
  dingtalk: { refusal: ['http500', '500'], throttle: ['rate', '130101'] },
  feishu: { refusal: ['http500', '500'], throttle: ['rate', '11232'] },
  wechat: { refusal: ['http500', '500'], throttle: ['rate', '45009'] },
  other: { refusal: ['http500', '500'], throttle: ['busy', '429'] },
}
const CHANNELS = Object.keys(FAILURES) as Channel[]
const CASES = CHANNELS.flatMap((channel) =>
  oneInTurn([
    [channel, 'refusal', FAILURES[channel].refusal[1]] as const,
    [channel, 'throttle', FAILURES[channel].throttle[1]] as const,
    [channel, 'time-out', channel === 'mail' ? 'TIMEOUT' : 'OUTBOUND_TIMEOUT'] as const,
  ]),
)

describe('hubs.md, Alerts · a channel that fails for an hour loses nothing, doubles nothing, and the page says so', () => {
  it.each(CASES)('%s: %s', async (channel, failure, code) => {
    const { to } = await useChannel(channel)
    await sendToFakes()
    if (failure === 'time-out') await timeOut(channel)
    else await setModes({ [FAKE[channel]]: FAILURES[channel][failure][0] })
    const start = Date.now()
    await goOneByOne()
    await passAlarms(start + HOUR - Date.now())
    expect(await acceptedBy(channel, to)).toEqual([])
    const waiting = await sentBy(channel)
    expect(waiting.map((row) => [row.state, row.code])).toEqual([1, 2, 3].map(() => ['pending', code]))
    for (const { words, tries, next_time } of waiting) {
      expect([words !== '', tries > 1, next_time !== null]).toEqual([true, true, true])
    }
    expect(await failingChannels()).toEqual([channel === 'mail' ? `mail ${network.email}` : 'webhook '])
    // The other channel knows nothing of it.
    expect(await selectMessages()).toHaveLength(3)

    await setModes({ [FAKE[channel]]: 'ok' })
    await sendToFakes()
    await passAlarms(HOUR)
    const sent = await sentBy(channel)
    expect(sent.map(({ state }) => state)).toEqual(['sent', 'sent', 'sent'])
    expect(await failingChannels()).toEqual([])
    const accepted = await acceptedBy(channel, to)
    // The id of a message is the delivery's; of a mail without what no Message-ID holds.
    const toId = (id: string) => id.replace(/[^\w.-]/g, '-')
    expect(accepted.map(toId).toSorted()).toEqual(sent.map(({ delivery_id }) => toId(delivery_id)).toSorted())
    expect(await selectMessages()).toHaveLength(3)
    expect(await listAlerts()).toMatchObject({ count: 3, open: 3 })
  })
})

it('hubs.md, Alerts, Order · a notice that waits for an earlier one of its alert says so, and no next try is past', async () => {
  await useChannel('other')
  await sendToFakes()
  await setModes({ internet: 'http500' })
  const [point] = network.points
  await report(point!, 'online', 'offline')
  await passAlarms(4 * MINUTE)
  await report(point!, 'offline', 'online')
  await passAlarms(10 * MINUTE)
  const rows = await sentBy('other')
  expect(rows.map(({ kind, state, waits }) => [kind, state, waits])).toEqual([
    ['recovery', 'pending', 1],
    ['open', 'pending', 0],
  ])
  expect(rows[0]?.next_time).toBeNull()
  expect(rows[1]?.next_time).toBeGreaterThanOrEqual(Date.now())
})

/** The command of a person who sends a delivery again. */
async function sendAgain(target: string): Promise<void> {
  const row = {
    id: unique('k'),
    accountId: network.accountId,
    kind: 'resend',
    target,
    actor: 'demo01',
    at: Date.now(),
  } as const
  await db.insert(alertCommands).values(row)
  await stub().refresh()
  await passAlarms(MINUTE)
}

describe('account 4 · five permanent failures in a row pause the webhook', () => {
  it.each(oneInTurn(['dingtalk', 'feishu', 'wechat', 'other'] as const))(
    '%s: nothing is lost, it is sent again by hand',
    async (channel) => {
      const { to } = await useChannel(channel)
      await sendToFakes()
      await setModes({ [FAKE[channel]]: 'gone' })
      for (let i = 0; i < 3; i++) {
        const [point] = network.points
        await report(point!, 'online', 'offline')
        await passAlarms(4 * MINUTE)
        await report(point!, 'offline', 'online')
        await passAlarms(MINUTE)
      }
      const { rows, paused } = await listDeliveries({ channel: 'webhook' })
      expect([paused, rows.map(({ state }) => state).toSorted()]).toEqual([
        1,
        ['failed', 'failed', 'failed', 'failed', 'failed', 'skipped'],
      ])
      expect((await listDeliveries({ channel: 'mail' })).paused).toBe(0)
      const titles = (await selectMessages()).map(({ title }) => title)
      expect(titles.filter((title) => title === 'Webhook的告警通知已暂停')).toHaveLength(1)

      await setModes({ [FAKE[channel]]: channel === 'other' ? 'ok' : 'unlimited' })
      for (const { delivery_id } of rows.toReversed()) await sendAgain(delivery_id) // an earlier notice is refused behind a later one
      await passAlarms(HOUR)
      expect((await acceptedBy(channel, to)).toSorted()).toEqual(rows.map(({ delivery_id }) => delivery_id).toSorted())
      expect((await listDeliveries({ channel: 'webhook' })).paused).toBe(0)
    },
  )
})

describe('design 8 · the last word that the receiver takes on an alert is its state', () => {
  it.each(oneInTurn(['http500', 'busy', 'timeout', 'close']))(
    'after an outage (%s) in which members came back',
    async (mode) => {
      const { to } = await useChannel('other')
      await sendToFakes()
      await setModes({ internet: mode })
      const timers = holdTimers(9_000, 11_000) // the time-out of an outgoing call
      const clock = setInterval(() => mode === 'timeout' && timers.release(), 50)
      await goOneByOne()
      for (const point of network.points.slice(0, 3)) {
        await report(point, 'offline', 'online')
        await passAlarms(MINUTE)
      }
      await evictDurableObject(stub())
      await sweepNothing()
      await sendToFakes()
      expect(await acceptedBy('other', to)).toEqual([])
      clearInterval(clock)
      await setModes({ internet: 'ok' })
      await passAlarms(HOUR)

      const heard = (await arrived('internet', to)).toReversed().map(({ answer, text, detail }) => {
        const { type, data } = JSON.parse(text) as { type: string; data: { alert_id: string } }
        return { answer, type, alert: data.alert_id, id: String(detail['webhook-id']) }
      })
      const taken = Map.groupBy(
        heard.filter(({ answer }) => answer === 'ok'),
        ({ alert }) => alert,
      )
      expect([...taken.values()].map((all) => all.map(({ type }) => type))).toEqual(
        Array.from({ length: 3 }, () => ['router.offline', 'router.offline.recovered']),
      )
      const tries = Map.groupBy(heard, ({ alert, type }) => `${alert} ${type}`)
      expect([...tries.values()].map((all) => new Set(all.map(({ id }) => id)).size)).toEqual(
        Array.from({ length: 6 }, () => 1),
      )
      expect(Math.max(...[...tries.values()].map((all) => all.length))).toBeGreaterThan(1)
    },
  )

  it('a failed notice behind a later one that was taken is not sent again', async () => {
    const { to } = await useChannel('other')
    await sendToFakes()
    await setModes({ internet: 'gone' })
    const [point] = network.points
    await report(point!, 'online', 'offline')
    await passAlarms(4 * MINUTE)
    await setModes({ internet: 'ok' })
    await report(point!, 'offline', 'online')
    await passAlarms(MINUTE)
    const { rows } = await listDeliveries({ channel: 'webhook' })
    expect(rows.map(({ kind, state }) => `${kind} ${state}`)).toEqual(['recovery sent', 'open failed'])
    const task = { kind: 'resend', target: rows[1]!.delivery_id, networks: null }
    expect(await stub().rpc(undefined, 'alertTask', [task])).toBe('over')
    await sendAgain(rows[1]!.delivery_id)
    expect(await acceptedBy('other', to)).toHaveLength(1)
  })

  it('the end of an alert that was skipped in a pause follows once the webhook is set again', async () => {
    await useChannel('other')
    await sendToFakes()
    const [known, ...others] = network.points
    await report(known!, 'online', 'offline')
    await passAlarms(4 * MINUTE)
    await setModes({ internet: 'gone' })
    for (const point of others) {
      await report(point, 'online', 'offline')
      await passAlarms(4 * MINUTE)
      await report(point, 'offline', 'online')
      await passAlarms(MINUTE)
    }
    await report(known!, 'offline', 'online')
    await passAlarms(MINUTE)
    expect((await listDeliveries({ channel: 'webhook' })).rows[0]).toMatchObject({ kind: 'recovery', state: 'skipped' })
    await setModes({ internet: 'ok' })
    const { to } = await useChannel('other')
    await passAlarms(MINUTE)
    const heard = (await arrived('internet', to)).map(({ text }) => JSON.parse(text) as { type: string })
    expect(heard).toMatchObject([{ type: 'router.offline.recovered', data: { router_name: known!.name } }])
  })
})
