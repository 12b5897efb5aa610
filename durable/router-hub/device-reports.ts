import type { HubName, Hubs } from '#contract/kernel/hubs.ts'
import type { AgentFrame, HubFrame } from '#contract/kernel/protocol.ts'
import type { ViewerBody } from '#durable/viewers.ts'
import { DialRecorder } from './dial-recorder.ts'
import type { DeviceSocket } from './device-socket.ts'
import { FlowRecorder } from './flows/flow-recorder.ts'
import { SampleFrames } from './traffic/sample-frames.ts'
import type { RouterState } from './state/storage.ts'
import { TrafficStore } from './traffic/traffic-store.ts'

interface Parts {
  readonly env: Env
  readonly hub: HubName
  readonly hubs: Hubs
  readonly storage: DurableObjectStorage
  readonly device: DeviceSocket
  state(): RouterState
  send(frame: HubFrame): void
  broadcast(frame: ViewerBody): void
  waitUntil(work: Promise<unknown>): void
}

/** Reports of a device besides presence and configuration: interface counters, dials and flows, each in its store. */
export class DeviceReports {
  series: TrafficStore
  readonly dials: DialRecorder
  readonly flows: FlowRecorder
  private readonly parts: Parts
  private readonly samples: SampleFrames

  constructor(parts: Parts) {
    this.parts = parts
    this.series = new TrafficStore(parts.storage, parts.device.pending())
    this.dials = new DialRecorder(parts)
    this.flows = new FlowRecorder({ ...parts, series: () => this.series })
    this.samples = new SampleFrames((frame) => parts.broadcast(frame))
  }

  /** Stores a report of an online device. @param viewers browsers that see the samples */
  add(frame: AgentFrame, viewers: number, now: number): void {
    if (frame.t === 'counters') this.addCounters(frame, viewers, now)
    if (frame.t === 'dial') this.dials.add(frame.dials, now)
    if (frame.t === 'flows') this.flows.add(frame, now)
  }

  /** Resets the stores, after the storage was emptied. */
  reset(): void {
    this.dials.reset()
    this.flows.reset()
    this.series = new TrafficStore(this.parts.storage, null)
  }

  private addCounters(
    { boot_id, at, interfaces }: Extract<AgentFrame, { t: 'counters' }>,
    viewers: number,
    now: number,
  ): void {
    const reading = { bootId: boot_id, atMs: at, counters: interfaces }
    const rates = this.series.add(reading, now, (pending) => this.parts.device.persist(pending))
    if (rates) this.samples.add(rates, viewers)
  }
}
