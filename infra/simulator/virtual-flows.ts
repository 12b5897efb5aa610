import { createHash } from 'node:crypto'
import { FLOWS } from '#contract/kernel/hub-limits.ts'
import type { FlowSlot } from '#contract/device/flows.ts'
import type { Clock } from '#infra/agent/clock.ts'
import type { FlowLog } from '#infra/agent/flows/flow-reporter.ts'
import { type Profile, bytesBetween } from './traffic.ts'
import { HOUR_MS } from '#contract/kernel/time.ts'

/* Flows of a virtual router and of its past 48 hours: parts of its interface traffic, the same at each call. */

const PAST_HOURS = 48
/** Share of interface traffic that flows count. The hardware of a device forwards the rest without counting it. */
const COUNTED = 0.96

/** Applications with their shares; the empty name stands for traffic of unknown applications. */
const APPS: readonly (readonly [name: string, weight: number])[] = [
  ['Microsoft 365', 22],
  ['企业微信', 15],
  ['Zoom', 12],
  ['钉钉', 9],
  ['飞书', 8],
  ['腾讯会议', 7],
  ['Salesforce', 6],
  ['GitHub', 4],
  ['HTTPS', 5],
  ['微信', 3],
  ['DNS', 1],
  ['', 4],
]
const SOURCES = 24

export function virtualFlows(serial: string, lan: string, profile: Profile, clock: Clock): FlowLog {
  const acknowledged = new Set<number>()
  const current = () => Math.floor(clock.now() / HOUR_MS)
  const prefix = lan.split('.').slice(0, 3).join('.')
  const sources = Array.from({ length: SOURCES }, (_, i): [string, number] => [`${prefix}.${20 + i}`, 1 / (i + 1.5)])

  return {
    pending: () =>
      Array.from({ length: PAST_HOURS }, (_, i) => current() - PAST_HOURS + i).filter(
        (hour) => !acknowledged.has(hour),
      ),
    read(hour) {
      const [startMs, now] = [hour * HOUR_MS, clock.now()]
      const isOver = startMs + HOUR_MS <= now
      const slots = Array.from({ length: 12 }, (_, slot): FlowSlot | null => {
        const from = startMs + slot * FLOWS.slotMs
        if (from >= now) return null
        const to = Math.min(from + FLOWS.slotMs, now)
        const passed = (direction: 'up' | 'down') => Math.round(bytesBetween(profile, direction, from, to) * COUNTED)
        const [up, down] = [passed('up'), passed('down')]
        const shared = (list: readonly (readonly [string, number])[]) => share(list, { up, down }, `${serial} ${from}`)
        return { slot, apps: shared(APPS), sources: shared(sources) }
      })
      return { report: isOver ? startMs + HOUR_MS : now, slots: slots.filter((slot) => slot !== null) }
    },
    acknowledged: (hour) => void acknowledged.add(hour),
    serve() {},
    stop() {},
  }
}

/** Divides a volume by weights that differ from slot to slot; the parts add up exactly. */
function share(
  list: readonly (readonly [name: string, weight: number])[],
  { up, down }: { readonly up: number; readonly down: number },
  seed: string,
): [string, number, number][] {
  const digest = createHash('sha256').update(seed).digest()
  const weights = list.map(([, weight], i) => weight * (0.4 + (digest[i % digest.length] ?? 0) / 200))
  const sum = weights.reduce((a, b) => a + b, 0)
  let [restUp, restDown] = [up, down]
  return list.map(([name], i) => {
    const part = (weights[i] ?? 0) / sum
    const isLast = i === list.length - 1
    const own = isLast ? [restUp, restDown] : [Math.floor(up * part), Math.floor(down * part)]
    restUp -= own[0] ?? 0
    restDown -= own[1] ?? 0
    return [name, own[0] ?? 0, own[1] ?? 0]
  })
}
