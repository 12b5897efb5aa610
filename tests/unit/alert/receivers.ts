import { type BucketKind } from '#contract/monitor/alert.ts'
import { type Delivery, laneOf } from '#domain/monitor/delivery.ts'
import {
  type Lane,
  type SendResult,
  compareAge,
  laneDue,
  newLane,
  planLane,
  applyResult,
} from '#domain/monitor/lane.ts'

export type Receiver = (one: Delivery, now: number) => SendResult | 'crash'

export const OK: SendResult = { kind: 'ok', code: '0', words: '' }

/** Earliest time of what waits for no earlier notice of its alert, by itself or in a digest. */
function firstNextAt(waiting: readonly Delivery[]): number {
  const seen = new Set<string>()
  let first = Infinity
  for (const { alertId, covers = [], nextAt } of waiting.toSorted(compareAge)) {
    if (alertId === '' || !seen.has(alertId)) first = Math.min(first, nextAt)
    for (const id of alertId === '' ? covers.map((one) => one.alertId) : [alertId]) seen.add(id)
  }
  return first
}

/** The outbox of deliveries as the hub keeps it, with receivers that note what reaches them. */
export class Outbox {
  private readonly done: Delivery[] = []
  private readonly open = new Map<string, Delivery>()
  private readonly ids = new Set<string>()
  readonly lanes = new Map<string, Lane>()
  /** Ids of all tries that reached a receiver, whether or not it answered. */
  readonly received: { readonly lane: string; readonly id: string; readonly title: string; readonly at: number }[] = []
  paused = 0
  private readonly receiver: Receiver
  private readonly random: () => number
  private readonly webhook: BucketKind

  constructor(receiver: Receiver, random: () => number = () => 0.5, webhook: BucketKind = 'dingtalk') {
    this.receiver = receiver
    this.random = random
    this.webhook = webhook
  }

  private kindOf({ channel }: Pick<Delivery, 'channel'>): BucketKind {
    return channel === 'webhook' ? this.webhook : channel
  }

  add(deliveries: readonly Delivery[]): void {
    for (const one of deliveries) {
      if (this.ids.has(one.id)) throw new Error(`an event id came twice: ${one.id}`)
      this.ids.add(one.id)
      this.put(one)
    }
  }

  private put(one: Delivery): void {
    if (one.state === 'pending') this.open.set(one.id, one)
    else {
      this.open.delete(one.id)
      this.done.push(one)
    }
  }

  private waiting(): Map<string, Delivery[]> {
    const lanes = new Map<string, Delivery[]>()
    for (const one of this.open.values()) {
      const known = lanes.get(laneOf(one))
      if (known) known.push(one)
      else lanes.set(laneOf(one), [one])
    }
    return lanes
  }

  due(now: number): number | null {
    const times = [...this.waiting()].map(([name, waiting]) => {
      const [first] = waiting
      const kind = this.kindOf(first!)
      return laneDue(firstNextAt(waiting), this.lanes.get(name) ?? newLane(kind, now), kind)
    })
    return times.length === 0 ? null : Math.min(...times)
  }

  drain(now: number): void {
    for (const [name, waiting] of this.waiting()) {
      const kind = this.kindOf(waiting[0]!)
      const plan = planLane(waiting, this.lanes.get(name) ?? newLane(kind, now), kind, now)
      for (const one of [...plan.closed, ...plan.send]) this.put(one)
      this.lanes.set(name, plan.lane)
      for (const one of plan.send) {
        const result = this.receiver(one, now)
        this.received.push({ lane: name, id: one.id, title: one.title, at: now })
        if (result === 'crash') continue
        const { delivery, lane, hasPaused } = applyResult(one, this.lanes.get(name)!, result, {
          kind,
          now,
          random: this.random(),
        })
        this.put(delivery)
        this.lanes.set(name, lane)
        if (hasPaused) this.paused += 1
      }
    }
  }

  of(state: Delivery['state']): readonly Delivery[] {
    return [...this.done, ...this.open.values()].filter((one) => one.state === state)
  }
}
