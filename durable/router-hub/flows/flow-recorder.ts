import { FLOWS } from '#contract/kernel/hub-limits.ts'
import type { FlowQuestion, RouterHubRpc, TimeRange, Uncounted } from '#contract/kernel/hubs.ts'
import type { FlowsFrame } from '#contract/device/flows.ts'
import type { HubFrame } from '#contract/kernel/protocol.ts'
import { FlowStore } from './flow-store.ts'
import { endedBuckets, toFlowSeries, toFlowTop, toUncounted } from './flow-views.ts'
import { isOnline } from '../state/machine.ts'
import type { ConnectionLog } from '#contract/router/saves.ts'
import type { RouterState } from '../state/storage.ts'
import { type TrafficPiece, toTrafficPoints } from '../traffic/traffic-range.ts'
import { DAY_MS } from '#contract/kernel/time.ts'
import { rangeSteps } from '../traffic/series-time.ts'
import type { TrafficStore } from '../traffic/traffic-store.ts'

/* Recorder of a SaaS device's volumes: its flows, the traffic of its WAN, and the volumes of its presences. */

interface FlowRecorderDeps {
  readonly storage: DurableObjectStorage
  state(): RouterState
  series(): TrafficStore
  send(frame: HubFrame): void
}

/** A presence of the device whose end is not recorded yet. */
interface OpenPresence {
  readonly epoch: number
  readonly at: number
}
const PRESENCE_KEY = 'saas_presence'

export class FlowRecorder {
  private readonly deps: FlowRecorderDeps
  private opened: FlowStore | null = null
  private askedAt = 0
  /** Callback for the next report of the running hour. */
  private onLive: (() => void) | null = null

  constructor(deps: FlowRecorderDeps) {
    this.deps = deps
  }

  /** Called after the storage was emptied. */
  reset(): void {
    this.opened = null
  }

  /** Store of flows, opened at its first use: its tables exist only in hubs of SaaS devices. */
  private get store(): FlowStore {
    return (this.opened ??= new FlowStore(this.deps.storage))
  }

  add(frame: FlowsFrame, now: number): void {
    if (!this.deps.state().router?.isSaas) return this.deps.send({ t: 'flows_ack', hours: [frame.hour] })
    const before = this.store.liveReport()
    const hours = this.store.add(frame, now)
    if (hours.length > 0) this.deps.send({ t: 'flows_ack', hours: [...hours] })
    if (this.store.liveReport() !== before) this.onLive?.()
  }

  async flowSeries(question: FlowQuestion): ReturnType<RouterHubRpc['flowSeries']> {
    await this.askFor(question)
    const now = Date.now()
    const { from, to, stepMs } = rangeSteps(question.from, question.to, now)
    const { buckets, sums } = this.store.between(from, to, question.kind, stepMs)
    return {
      step_ms: stepMs,
      series: toFlowSeries(buckets, question.kind, { stepMs }, now),
      uncounted: this.uncounted(sums, { from, to }),
    }
  }

  async flowTop(question: FlowQuestion): ReturnType<RouterHubRpc['flowTop']> {
    await this.askFor(question)
    const { buckets, sums } = this.store.between(question.from, question.to, question.kind, DAY_MS)
    const rows = toFlowTop(endedBuckets(buckets, Date.now()), question.kind)
    return { rows, uncounted: this.uncounted(sums, question) }
  }

  wanTraffic(range: TimeRange): Awaited<ReturnType<RouterHubRpc['wanTraffic']>> {
    const now = Date.now()
    const { from, to, stepMs } = rangeSteps(range.from, range.to, now)
    const pieces = this.deps.series().pieces(this.wan(), from, to)
    return { step_ms: stepMs, points: toTrafficPoints(pieces, stepMs, now) }
  }

  presenceTraffic(): Awaited<ReturnType<RouterHubRpc['presenceTraffic']>> {
    const state = this.deps.state()
    const open = isOnline(state) ? this.openPresence() : null
    const since = open?.at ?? null
    const countsFlows = state.device?.capabilities?.includes(FLOWS.capability) ?? false
    return { since, ...this.volume(since ?? Date.now(), Date.now()), countsFlows }
  }

  /** Adds to lines of the connection log the volumes of the presences that they end. */
  withVolumes(logs: readonly ConnectionLog[]): readonly ConnectionLog[] {
    if (!this.deps.state().router?.isSaas) return logs
    return logs.map((log) => {
      if (log.online === 1) {
        const known = this.openPresence()
        if (known?.epoch !== log.epoch) this.deps.storage.kv.put(PRESENCE_KEY, { epoch: log.epoch, at: log.at })
        return log
      }
      const began = logs.find((other) => other.online === 1 && other.epoch === log.epoch) ?? this.openPresence()
      return began?.epoch === log.epoch ? { ...log, volume: this.volume(began.at, log.at) } : log
    })
  }

  private openPresence(): OpenPresence | null {
    return this.deps.storage.kv.get<OpenPresence>(PRESENCE_KEY) ?? null
  }

  private volume(from: number, to: number): { upload: number; download: number } {
    const pieces = this.deps.series().pieces(this.wan(), from, to)
    const sum = pieces.reduce((all, { up, down }) => ({ up: all.up + up, down: all.down + down }), { up: 0, down: 0 })
    return { upload: Math.round(sum.up), download: Math.round(sum.down) }
  }

  private wan(): readonly string[] {
    const interfaces = this.deps.state().device?.interfaces ?? []
    return interfaces.filter(({ role }) => role === 'wan').map((one) => one.interface)
  }

  private uncounted(sums: readonly TrafficPiece[], { from, to }: TimeRange): Uncounted {
    return toUncounted(sums, this.deps.series().pieces(this.wan(), from, to))
  }

  /** Asks the device for the running hour if the range reaches it, and waits a little for the answer. */
  private async askFor({ to }: TimeRange): Promise<void> {
    const now = Date.now()
    const state = this.deps.state()
    const isLooking = to > now - FLOWS.slotMs
    const isAble = isOnline(state) && (state.device?.capabilities?.includes(FLOWS.capability) ?? false)
    if (!isLooking || !isAble || now < this.askedAt + FLOWS.askMs) return
    this.askedAt = now
    const answered = new Promise<void>((done) => {
      this.onLive = done
      setTimeout(done, FLOWS.answerMs)
    })
    this.deps.send({ t: 'flows_ask' })
    await answered
    this.onLive = null
  }
}
