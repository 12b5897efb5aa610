import { env } from 'cloudflare:test'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Output } from '#contract/kernel/endpoint.ts'
import { PRESENCE } from '#contract/kernel/hub-limits.ts'
import { RESULT } from '#contract/kernel/result.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, dateText } from '#contract/kernel/time.ts'
import { logsApi } from '#contract/logs/index.ts'
import { messageApi } from '#contract/message/index.ts'
import { monitorApi } from '#contract/monitor/index.ts'
import { overviewApi } from '#contract/overview/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { ticketApi } from '#contract/ticket/index.ts'
import { createHubs } from '#durable/hubs.ts'
import { loadHistory } from '#infra/demo/history/load.ts'
import type { PastDevice } from '#infra/demo/history/routers.ts'
import { createStory } from '#infra/demo/history/story.ts'
import { type ProvisionedDevice, loadDemo, signIn } from '#infra/demo/load.ts'
import { type Call, callEndpoint } from '#infra/local/api.ts'
import { systemClock } from '#infra/agent/clock.ts'
import { virtualMachine } from '#infra/simulator/virtual-device.ts'
import { eq } from 'drizzle-orm'
import { readRouter } from '#durable/router-hub/database.ts'
import { checkDocument, checkSettings } from '#infra/agent/config/check-document.ts'
import { checkTunnels } from '#infra/agent/drivers/render/check-tunnels.ts'
import { renderDocument } from '#infra/agent/drivers/render/render.ts'
import { NO_SLOTS, assignSlots } from '#infra/agent/drivers/render/slots.ts'
import { NO_TARGET } from '#infra/agent/drivers/render/target.ts'
import { TENANTS } from '#infra/demo/data.ts'
import { networkFrApi } from '#contract/network-fr/index.ts'
import { networkApi } from '#contract/network/index.ts'
import { NETWORK_TICKET_STATUS } from '#contract/network/limits.ts'
import { routerStates, routers } from '#db/schema/routers.ts'
import { networks } from '#db/schema/networks.ts'
import { DEVICE_SETTING_KEYS, usedSettings } from '#domain/network/compile/device-settings.ts'
import { lanPort } from '#tests/support/fixtures.ts'
import { createTestWorker, db } from '#tests/support/test-worker.ts'

const ORIGIN = 'http://demo.test'
const TARGET = { ...NO_TARGET, wan: ['eth0'], lan: ['lan0'], probePort: 40_000 }
const [SUZHOU, BEIJING, ZHENGZHOU, KUNMING] = ['NL80C002', 'NL22P001', 'NL22S018', 'NL22S032']
/** Times of a log line and of a transition differ by the grace of a closed socket, or by the lease of a silent one. */
const DECIDED_MS = PRESENCE.leaseMs

const worker = createTestWorker({ hubs: (requestId) => createHubs(env, requestId) })
const now = Date.now()
const story = createStory(now)
let api: Call
let devices: readonly ProvisionedDevice[] = []
/** Bodies of the imports of each run; those of the second are not carried out. */
const runs: [string[], string[]] = [[], []]
let run: 0 | 1 = 0

beforeAll(async () => {
  vi.stubGlobal('fetch', (address: string, init: RequestInit) => {
    if (address.includes('/__local/history')) {
      runs[run].push(String(init.body))
      if (run === 1) return Promise.resolve(Response.json({ code: RESULT.ok }))
    }
    return worker.request(address.replace(ORIGIN, ''), init)
  })
  devices = await loadDemo(ORIGIN, env.OPERATOR_TOKEN)
  const described = await Promise.all(
    devices.map(async ({ serial, model, lan, runs }): Promise<PastDevice> => {
      const machine = virtualMachine({ serial, model, lan: lan === null ? [] : [lan], peakMbps: 50 }, systemClock)
      const version = runs === 'none' ? null : '0.1.0'
      return { serial, isReal: false, version, interfaces: await machine.interfaces() }
    }),
  )
  await loadHistory(ORIGIN, env.OPERATOR_TOKEN, described, now)
  const token = await signIn(ORIGIN, 'demo01')
  api = (spec, input) => callEndpoint(ORIGIN, '/api/v1', spec, input, token)
  run = 1
  await loadHistory(ORIGIN, env.OPERATOR_TOKEN, described, now)
}, 600_000)
afterAll(() => vi.unstubAllGlobals())

type Events = Output<typeof routerApi.events>
const eventsOf = (serial: string): Promise<Events> => api(routerApi.events, { router_name: serial })

it('presence of a member, its bar, its log lines and its traffic agree with the absences of the story', async () => {
  for (const [serial, absences] of Object.entries(story.absences)) {
    const { transitions } = await eventsOf(serial)
    const lines = await api(logsApi.connect, { router_name: serial, limit: 50, start_time: story.from, end_time: now })
    const [offline, online] = [0, 1].map((state) =>
      lines.filter((line) => line.online === state).map(({ create_time }) => create_time),
    )
    for (const { from, to } of absences) {
      expect({ serial, lost: offline?.filter((at) => at >= from && at <= from + DECIDED_MS).length }).toEqual({
        serial,
        lost: 1,
      })
      expect({ serial, back: online?.includes(to) }).toEqual({ serial, back: true })
    }
    expect({ serial, lines: lines.length }).toEqual({ serial, lines: 2 * absences.length })
    // The states of a line that flaps are those of its alert.
    const states = absences.flatMap(() => ['online', 'offline'])
    const found = transitions.map(({ to }) => to)
    expect({ serial, found }).toEqual({ serial, found: serial === ZHENGZHOU ? found : states })
    for (const { to, at } of transitions) {
      const isDuring = absences.some(({ from, to: end }) => at >= from && at <= end + 10 * MINUTE_MS)
      expect({ serial, to, isDuring }).toEqual({ serial, to, isDuring: true })
    }
    const { data } = await api(routerApi.series, { router_name: serial, range: 'day', at: absences[0]!.from })
    const times = Object.values(data)[0]!.map(({ time }) => time)
    const long = absences.filter(({ from, to }) => to - from > 10 * MINUTE_MS)
    const during = times.filter((time) => long.some(({ from, to }) => time - 5 * MINUTE_MS >= from && time <= to))
    expect({ serial, during, has: times.length > 120 }).toEqual({ serial, during: [], has: true })
  }
})

it('alerts, their acknowledgement, messages, deliveries and the audit agree with the same absences', async () => {
  const alerts = await api(monitorApi.alerts, { limit: 50 })
  const of = (serial: string) => alerts.filter(({ router_name }) => router_name === serial)
  const [upgrade, power, cutover] = [SUZHOU, KUNMING, BEIJING].map((serial) => story.absences[serial]![0]!)
  expect(of(SUZHOU!)).toMatchObject([
    { rule: 'router_offline', severity: 'critical', start_time: upgrade!.from, end_time: upgrade!.to },
  ])
  expect(of(SUZHOU!)[0]!.title).toBe('中心点离线：苏州灾备机房 → 研发专网中断，另 2 个组网失去冗余（38 个成员）')
  const [{ by, at } = { by: '', at: 0 }] = story.acknowledgements
  expect(of(KUNMING!)).toMatchObject([
    { rule: 'router_offline', start_time: power!.from, end_time: power!.to, ack_by: by, ack_time: at },
  ])
  expect(of(BEIJING!)).toMatchObject([{ rule: 'router_offline', start_time: cutover!.from, end_time: cutover!.to }])
  expect(of(ZHENGZHOU!)).toMatchObject([{ rule: 'flapping', end_time: expect.any(Number) }])
  const open = alerts.filter(({ end_time }) => end_time === null)
  expect(open).toMatchObject([{ rule: 'service_expired', title: '服务到期：软件成员试用' }])

  const messages = await api(messageApi.lists, { limit: 50 })
  const titles = messages.filter(({ type }) => type === '告警').map(({ title }) => title)
  expect(titles).toEqual(
    expect.arrayContaining(['成员离线：昆明店', '已恢复：成员离线：昆明店', '成员抖动：郑州二七店']),
  )
  expect(titles.filter((title) => title.includes('苏州'))).toEqual([]) // muted
  const sent = await api(monitorApi.deliveries, { channel: 'mail', limit: 50 })
  expect(new Set(sent.map(({ state }) => state))).toEqual(new Set(['sent']))
  const audit = await api(logsApi.audit, { module: 'monitor', limit: 50 })
  expect(audit).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ action: 'acknowledge', actor_name: by, create_time: at }),
      expect.objectContaining({ action: 'mute', target: SUZHOU, create_time: story.mutes[0]!.from }),
    ]),
  )
})

it('availability and the curve of the overview follow from the same transitions', async () => {
  const overview = await api(overviewApi.info, {})
  expect(overview.members.hardware).toMatchObject({ online: 40, never: 1, offline: 0 })
  const [{ from, to } = { from: 0, to: 0 }] = story.absences[SUZHOU!] ?? []
  const awayMs = Math.max(0, to - Math.max(from, overview.at - DAY_MS)) // of the last day
  const research = overview.networks.find(({ network_name }) => network_name === '研发专网')!
  expect(Math.abs(research.availability! - (1 - awayMs / DAY_MS))).toBeLessThan(0.001)
  const others = overview.networks.filter(({ network_name }) => network_name === '全国门店收银网')
  expect(others.map(({ availability }) => availability)).toEqual([1])
  expect(overview.presence[0]!.at).toBe(overview.at - DAY_MS)
})

it('links to a centre that is away end and begin again with it, and dials are the times of software members', async () => {
  const [{ from, to } = { from: 0, to: 0 }] = story.absences[SUZHOU!] ?? []
  const range = { start_time: from - MINUTE_MS, end_time: to + 5 * MINUTE_MS }
  const rows = await api(logsApi.online, { mode: 'p2p', router_name: 'NL22S001', limit: 50, ...range })
  const links = rows.filter(({ link_router_name }) => link_router_name === SUZHOU)
  expect(links.some(({ end_time }) => end_time !== null && end_time >= from && end_time <= from + MINUTE_MS)).toBe(true)
  expect(links.some(({ start_time }) => start_time >= to && start_time <= to + MINUTE_MS)).toBe(true)

  const member = 'wang.lei@qiming'
  const dials = await api(logsApi.online, { mode: 'p2p', router_name: member, limit: 50, start_time: story.from })
  const { transitions } = await eventsOf(member)
  expect(dials.length).toBeGreaterThan(0)
  for (const { to: state, at } of transitions)
    expect(dials.some(({ start_time, end_time }) => (state === 'online' ? start_time : end_time) === at)).toBe(true)
  expect(transitions.length).toBeGreaterThan(0)
})

it('two runs at the same time send the same', () => {
  expect(runs[1]).toEqual(runs[0])
  expect(runs[0].length).toBe(6) // devices and people of three accounts
})

it('a line of the connection log lasts until the next line of its member', async () => {
  const range = { start_time: story.from, end_time: now }
  const lines = await api(logsApi.connect, { router_name: ZHENGZHOU!, limit: 50, ...range })
  expect(lines.map(({ next_time }) => next_time)).toEqual([null, ...lines.slice(0, -1).map((line) => line.create_time)])
})

it('tickets, their numbers, replies, messages and audit rows are of one day', async () => {
  const tickets = await api(ticketApi.lists, { limit: 50 })
  for (const { ticket_number, create_time } of tickets) {
    expect(create_time).toBeLessThan(now - 19 * HOUR_MS)
    expect(ticket_number.slice(1, 9)).toBe(dateText(create_time).replaceAll('-', ''))
    const { dialogue } = await api(ticketApi.info, { ticket_number })
    const audit = await api(logsApi.audit, { module: 'ticket', search: ticket_number, limit: 50 })
    const answered = dialogue.filter(({ side }) => side === 'customer').map(({ reply_time }) => reply_time)
    const recorded = audit.filter(({ action }) => action === 'reply').map((row) => row.create_time)
    expect(recorded).toEqual(answered)
  }
  const setUp = await api(logsApi.audit, { module: 'network', limit: 50 })
  expect(setUp.length).toBeGreaterThan(0) // within the week that the page shows
  expect(Math.max(...setUp.map(({ create_time }) => create_time))).toBeLessThan(story.setupAt + 30 * MINUTE_MS)
})

/** Reports of each device once its agent runs. */
async function reportLan({ serial, lan }: ProvisionedDevice): Promise<void> {
  const [router] = await db.select({ id: routers.id }).from(routers).where(eq(routers.name, serial))
  const interfaces = JSON.stringify(lan === null ? [] : [lanPort(lan.replace('.0/', '.1/'), 0)])
  await db
    .insert(routerStates)
    .values({ routerId: router!.id, interfaces })
    .onConflictDoUpdate({ target: routerStates.routerId, set: { interfaces } })
}

/** The document of a device, and what is wrong with it. */
async function inspect(serial: string) {
  const [router] = await db.select({ hub: routers.hub }).from(routers).where(eq(routers.name, serial))
  const { document } = (await readRouter(env, router!.hub))!
  const files = renderDocument(document, assignSlots(document, NO_SLOTS), TARGET)
  return {
    serial,
    document,
    files,
    faults: [
      checkDocument(document),
      checkSettings(document, DEVICE_SETTING_KEYS),
      checkTunnels(document, TARGET),
    ].filter((fault) => fault !== null),
  }
}

it('the demo loads, every device can carry its document, and every kind of setting and ticket is there', async () => {
  for (const device of devices) await reportLan(device)

  const inspected = await Promise.all(devices.map(({ serial }) => inspect(serial)))
  expect(inspected.filter(({ faults }) => faults.length > 0)).toEqual([])
  const rendered = inspected.filter(({ document }) => document.networks.length > 0)
  expect(rendered.length).toBeGreaterThanOrEqual(44)
  for (const { files } of rendered) expect([...files.keys()].some((path) => path.endsWith('.conf'))).toBe(true)
  const used = new Set(inspected.flatMap(({ document }) => usedSettings(document)))
  const later = new Set(['links:pop', 'lans:via'])
  expect(DEVICE_SETTING_KEYS.filter((key) => !used.has(key) && !later.has(key))).toEqual([])

  const numbers = await db.select({ name: networks.name, number: networks.number }).from(networks)
  const types: Record<string, number> = {}
  for (const { name } of TENANTS[0]!.networks) {
    const number = numbers.find((row) => row.name === name)!.number
    const info = await api(networkApi.info, { network_number: number })
    expect({ name, overlaps: info.overlaps }).toEqual({ name, overlaps: [] })
    types[name] = info.network_type
  }
  expect(types).toEqual({ 总部与分支互联: 1, 全国门店收银网: 1, 工厂与仓库直连: 2, 研发专网: 3 })
  const tickets = await api(networkApi.ticketLists, {})
  const statuses = tickets.map(({ network_ticket_status: status }) => status)
  expect(statuses.toSorted()).toEqual(Object.values(NETWORK_TICKET_STATUS))
  expect(await api(networkFrApi.lists, {})).toMatchObject([{ name: '研发骨干接入', expire_day: 20, status: 1 }])
  const software = await api(routerApi.lists, { type: 2 })
  expect(new Set(software.map(({ phone }) => phone !== ''))).toEqual(new Set([true, false]))
})
