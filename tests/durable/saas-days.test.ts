import { env, evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createHubs } from '#durable/hubs.ts'
import { SERIES } from '#contract/kernel/hub-limits.ts'
import type { FlowSlot, FlowsFrame } from '#contract/device/flows.ts'
import { saasApi } from '#contract/saas/index.ts'
import { createSession } from '#tests/support/fixtures.ts'
import { createRandom } from '#tests/support/random.ts'
import { sellSaas } from '#tests/support/saas.ts'
import { createTestWorker } from '#tests/support/test-worker.ts'
import {
  type DeviceSocket,
  connectOnlineDevice,
  counters,
  createAccount,
  createHubRouter,
  later,
  readNow,
  routerStub,
  until,
} from './support.ts'

const [MINUTE, HOUR] = [60_000, 3_600_000]
const SLOT = 5 * MINUTE
const HOURS = SERIES.slotDays * 24
/** Every volume is a multiple of it, so that no share of one is a fraction of a byte or of a bit a second. */
const UNIT = 3_600
const worker = createTestWorker({ hubs: createHubs(env) })
afterEach(() => void vi.useRealTimers())

interface Counted {
  readonly end: number
  readonly app: string
  readonly source: string
  readonly up: number
  readonly down: number
}

type Volume = Pick<Counted, 'up' | 'down'>
const sum = (volumes: readonly Volume[]): Volume =>
  volumes.reduce<Volume>((all, { up, down }) => ({ up: all.up + up, down: all.down + down }), { up: 0, down: 0 })
const sumBy = <K>(counted: readonly Counted[], key: (one: Counted) => K): ReadonlyMap<K, Volume> =>
  new Map([...Map.groupBy(counted, key)].map(([k, group]) => [k, sum(group)]))
const toRate = ({ up, down }: Volume, ms: number) => ({ input: (up * 8000) / ms, out: (down * 8000) / ms })

const moveTo = (at: number) => later(at - Date.now())

/** Traffic of one slot: some of it in flows, some of it offloaded and in the counters alone. */
function countSlot(random: () => number, end: number): { flows: Counted[]; offloaded: Volume } {
  const bytes = (max: number) => Math.floor(random() * max) * UNIT
  const flows = Array.from({ length: 1 + Math.floor(random() * 6) }, () => ({
    end,
    app: `应用${Math.floor(random() * 9)}`,
    source: `10.0.0.${1 + Math.floor(random() * 9)}`,
    up: bytes(1_000),
    down: bytes(20_000),
  }))
  return { flows, offloaded: { up: bytes(100), down: bytes(2_000) } }
}

const toVolumes = (counted: readonly Counted[], kind: 'app' | 'source'): FlowSlot['apps'] =>
  [...sumBy(counted, (one) => one[kind])].map(([name, { up, down }]) => [name, up, down])

/** One hour's report in four frames. */
function toFrames(counted: readonly Counted[], hour: number, report: number): readonly FlowsFrame[] {
  const slots = [...Map.groupBy(counted, ({ end }) => ((end - 1) % HOUR) - ((end - 1) % SLOT))].map(
    ([start, group]): FlowSlot => ({
      slot: start / SLOT,
      apps: toVolumes(group, 'app'),
      sources: toVolumes(group, 'source'),
    }),
  )
  return [0, 1, 2, 3].map((part) => ({
    t: 'flows',
    hour,
    report,
    over: true,
    part,
    parts: 4,
    slots: slots.slice(part * 3, part * 3 + 3),
  }))
}

/** A SaaS device at its hub; each call returns when the hub has handled what was sent. */
class Line {
  private readonly device: DeviceSocket
  private readonly stub: ReturnType<typeof routerStub>
  private acknowledged = 0

  constructor(device: DeviceSocket, stub: ReturnType<typeof routerStub>) {
    this.device = device
    this.stub = stub
  }

  /** Evicts the hub and wakes it at once: no ping extends the lease of this device, whose next frame is minutes away. */
  async evict(): Promise<void> {
    await evictDurableObject(this.stub)
    await this.stub.traffic()
  }

  async count(at: number, { up, down }: Volume): Promise<void> {
    this.device.send(counters(at, down, up))
    const isRead = () =>
      runInDurableObject(this.stub, (hub) => hub['series']['pending'].reading?.atMs === at || undefined)
    await until(isRead)
  }

  /** Frames of which one is lost, or that an eviction follows: the hub waits for the others. */
  async begin(frames: readonly FlowsFrame[]): Promise<void> {
    for (const frame of frames) this.device.send(frame)
    const isPending = () =>
      runInDurableObject(this.stub, (hub) => {
        const pending = hub['flows']['store']['pending']
        return (pending?.report === frames[0]!.report && pending.parts.size === frames.length) || undefined
      })
    await until(isPending)
  }

  /** Resolves when the hour of these frames is acknowledged. */
  async deliver(frames: readonly FlowsFrame[]): Promise<void> {
    for (const frame of frames) this.device.send(frame)
    await this.device.next((frame) => frame.t === 'flows_ack' && frame.hours[0] === frames[0]!.hour, this.acknowledged)
    this.acknowledged = this.device.frames.length
  }
}

const FATES = ['whole', 'frame lost', 'evicted', 'repeated', 'late'] as const

/** Reports of the device: flows, the traffic of its WAN by slots, its sum, and the fate of each report. */
async function sendTwoDays(line: Line, start: number, random: () => number) {
  const flows: Counted[] = []
  const passed: (Volume & { end: number })[] = []
  let [total, unsent]: [Volume, Volume[]] = [{ up: 0, down: 0 }, []]
  const late: (readonly FlowsFrame[])[] = []
  const fates = new Set<string>()
  for (let end = start + SLOT; end <= start + HOURS * HOUR; end += SLOT) {
    moveTo(end)
    const slot = countSlot(random, end)
    flows.push(...slot.flows)
    unsent.push(sum([...slot.flows, slot.offloaded]))
    total = sum([total, unsent.at(-1)!])
    const isHourOver = end % HOUR === 0
    const isLost = unsent.length < 4 && !isHourOver && random() < 0.15
    if (!isLost) {
      await line.count(1 + end - start, total)
      if (random() < 0.1) await line.evict()
      // The mean over what was lost, which the chart can but spread.
      const each = sum(unsent)
      unsent.forEach((_, i) => {
        passed.push({ end: end - i * SLOT, up: each.up / unsent.length, down: each.down / unsent.length })
      })
      unsent = []
    }
    if (!isHourOver) continue
    const hour = end / HOUR - 1
    const counted = flows.filter((one) => one.end > end - HOUR)
    // A report that is superseded lacks the last slot: it would show if it were taken.
    const early = counted.filter((one) => one.end < end)
    const [first, again] = [toFrames(early, hour, 1), toFrames(counted, hour, 2)]
    const fate = FATES[Math.floor(random() * FATES.length)]!
    fates.add(fate)
    if (fate === 'frame lost') await line.begin(first.toSpliced(Math.floor(random() * 4), 1))
    if (fate === 'evicted') {
      await line.begin(first.slice(0, 2))
      await line.evict()
      await line.begin(first.slice(2))
    }
    await line.deliver(again)
    if (fate === 'repeated') await line.deliver(again)
    if (fate === 'late') late.push(first)
    if (late.length > 1) await line.deliver(late.shift()!)
  }
  return { flows, passed, total, fates }
}

describe('directory 9 · two days of a SaaS device at its hub', () => {
  it('frames lost, late and repeated, counters lost, the hub evicted: every chart, top and share is exact', async () => {
    const random = createRandom(12).next
    const { main, ...account } = await createAccount()
    const router = await createHubRouter(account)
    await sellSaas(router)
    await readNow(routerStub(router))
    const start = Math.ceil(Date.now() / HOUR) * HOUR + HOUR
    moveTo(start)
    const wan = { interface: 'eth0', interface_uuid: 'u', protocol: 'dhcp', role: 'wan', ip: '203.0.113.9' } as const
    const interfaces = [{ ...wan, mask: 24, mac: '', mtu: 1500, up: true }]
    const device = await connectOnlineDevice(router, { capabilities: ['flows'], interfaces })
    const line = new Line(device, routerStub(router))
    await line.count(1, { up: 0, down: 0 })

    const { flows, passed, total, fates } = await sendTwoDays(line, start, random)
    expect([...fates].toSorted()).toEqual([...FATES].toSorted())

    const end = start + HOURS * HOUR
    moveTo(end + MINUTE)
    const { accountId, username, session } = main
    const caller = await createSession({ accountId, username, ramId: null, grants: session.grants })
    const range = { router_name: router.name, start_date: start, end_date: end - 1 }
    const wanChart = await worker.call(saasApi.traffic, range, caller.token)
    expect(wanChart.data.step_ms).toBe(SLOT)
    expect(wanChart.data.points).toEqual(
      passed.toSorted((a, b) => a.end - b.end).map((slot) => ({ time: slot.end, ...toRate(slot, SLOT) })),
    )
    const [all, counted] = [total, sum(flows)]
    const uncounted = { input: all.up - counted.up, out: all.down - counted.down }
    for (const [kind, chart, top] of [
      ['app', saasApi.appLog, saasApi.appLogTop],
      ['source', saasApi.origScrLog, saasApi.origScrLogTop],
    ] as const) {
      const names = sumBy(flows, (one) => one[kind])
      const { data, uncounted: ofTop } = await worker.call(top, range, caller.token)
      expect(data.map(({ name, input, out, total: bytes }) => ({ name, input, out, bytes }))).toEqual(
        [...names]
          .map(([name, { up, down }]) => ({ name, input: up, out: down, bytes: up + down }))
          .toSorted((a, b) => b.bytes - a.bytes),
      )
      expect(data.reduce((percent, { share }) => percent + share * 100, 0)).toBeCloseTo(10_000, 6)
      for (const { share, total: bytes } of data)
        expect(Math.abs(share - (100 * bytes) / (counted.up + counted.down))).toBeLessThan(0.01)
      const { data: drawn, uncounted: ofChart } = await worker.call(chart, range, caller.token)
      expect(new Set(drawn.series.map(({ name }) => name))).toEqual(new Set(names.keys()))
      for (const { name, points } of drawn.series) {
        const bySlot = sumBy(
          flows.filter((one) => one[kind] === name),
          (one) => one.end,
        )
        expect(points).toEqual(
          Array.from({ length: HOURS * 12 }, (_, i) => start + (i + 1) * SLOT).map((time) => ({
            time,
            ...toRate(bySlot.get(time) ?? { up: 0, down: 0 }, SLOT),
          })),
        )
      }
      expect([ofTop, ofChart]).toEqual([uncounted, uncounted])
    }
  }, 120_000)
})
