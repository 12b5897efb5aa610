import { describe, expect, it } from 'vitest'
import { type FlowLog, FlowReporter, toParts } from '#infra/agent/flows/flow-reporter.ts'
import { virtualFlows } from '#infra/simulator/virtual-flows.ts'
import { bytesBetween } from '#infra/simulator/traffic.ts'
import { FLOWS } from '#contract/kernel/hub-limits.ts'
import { FRAME_MAX_BYTES } from '#contract/kernel/hub-limits.ts'
import { type FlowSlot, type FlowsFrame, flows } from '#contract/device/flows.ts'
import { FakeClock } from './support/fake-clock.ts'

const HOUR = 3_600_000
const SAAS = { router_name: 'R', networks: [], bandwidth_mbps: 50 }

function harness() {
  const clock = new FakeClock()
  const frames: FlowsFrame[] = []
  const acknowledged: number[] = []
  const first = Math.floor(clock.now() / HOUR) - 2
  const log: FlowLog = {
    pending: () => [first, first + 1].filter((hour) => !acknowledged.includes(hour)),
    read: (hour) => ({ report: hour, slots: [{ slot: 0, apps: [['Zoom', 1, 2]], sources: [] }] }),
    acknowledged: (hour) => void acknowledged.push(hour),
    serve() {},
    stop() {},
  }
  const reporter = new FlowReporter({ clock, random: () => 0, log, send: (frame) => void frames.push(frame) })
  const hours = () => frames.map(({ hour }) => hour - first)
  return { clock, frames, reporter, hours, first }
}

describe('reports of flows', () => {
  it('leave hour by hour, each repeated until it is acknowledged', async () => {
    const { clock, reporter, hours, first } = harness()
    reporter.serve(SAAS)
    reporter.connected()
    await clock.advance(1_000)
    expect(hours()).toEqual([0])
    await clock.advance(FLOWS.retryMs)
    expect(hours()).toEqual([0, 0])
    reporter.acknowledged([first])
    await clock.advance(1_000)
    expect(hours()).toEqual([0, 0, 1])
    reporter.acknowledged([first + 1])
    await clock.advance(FLOWS.retryMs)
    expect(hours()).toEqual([0, 0, 1])
  })

  it('are of SaaS devices only, and of the hour that goes on when it is asked for', async () => {
    const { clock, reporter, frames, hours } = harness()
    reporter.serve({ router_name: 'R', networks: [] })
    reporter.connected()
    reporter.asked()
    await clock.advance(HOUR)
    expect(frames).toEqual([])
    reporter.serve(SAAS)
    reporter.asked()
    expect(frames).toMatchObject([{ over: false }])
    reporter.disconnected()
    await clock.advance(HOUR)
    expect(hours()).toHaveLength(1)
  })

  it('fit into frames, whatever their names', () => {
    const name = '应'.repeat(FLOWS.nameMax)
    const many = (max: number) =>
      Array.from({ length: max + 1 }, (_, i): [string, number, number] => [
        `${i}${name}`.slice(0, FLOWS.nameMax),
        2 ** 42,
        2 ** 42,
      ])
    const slots = Array.from({ length: 12 }, (_, slot): FlowSlot => ({
      slot,
      apps: many(FLOWS.appsMax),
      sources: many(255),
    }))
    const parts = toParts(slots)
    expect(parts.length).toBeLessThanOrEqual(FLOWS.partsMax)
    for (const [part, some] of parts.entries()) {
      const frame = { t: 'flows', hour: 1, report: 1, over: true, part, parts: parts.length, slots: [...some] }
      expect(flows.safeParse(frame).success).toBe(true)
      expect(Buffer.byteLength(JSON.stringify(frame))).toBeLessThanOrEqual(FRAME_MAX_BYTES)
    }
    expect(toParts([])).toEqual([[]])
  })
})

describe('flows of a virtual router', () => {
  const profile = { seed: 7, peakMbps: 50 }

  it('have a past of 48 hours, are the same at each call, and are a part of what its interfaces count', () => {
    const clock = new FakeClock()
    const log = virtualFlows('R', '10.1.2.0/24', profile, clock)
    expect(log.pending()).toHaveLength(48)
    const [hour = 0] = log.pending()
    expect(log.read(hour)).toEqual(log.read(hour))
    const { slots } = log.read(hour)
    const sum = (kind: 'apps' | 'sources') =>
      slots.flatMap((slot) => slot[kind]).reduce((all, [, , down]) => all + down, 0)
    expect(sum('apps')).toBe(sum('sources'))
    const passed = bytesBetween(profile, 'down', hour * HOUR, (hour + 1) * HOUR)
    expect(sum('apps') / passed).toBeCloseTo(0.96, 3)
    log.acknowledged(hour)
    expect(log.pending()).toHaveLength(47)
  })
})
