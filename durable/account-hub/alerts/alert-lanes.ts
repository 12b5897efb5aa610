import { ALERT_RETRY, type BucketKind } from '#contract/monitor/alert.ts'
import { earliest } from '#contract/kernel/time.ts'
import { count } from '#db/counters.ts'
import { type Delivery, laneOf } from '#domain/monitor/delivery.ts'
import { type SendResult, laneDue, planLane, resend, applyResult } from '#domain/monitor/lane.ts'
import { logFault } from '#durable/fault-log.ts'
import type { AlertChannels } from './alert-channels.ts'
import type { AlertStorage } from './alert-storage.ts'

/* Sends the alert deliveries of an account. Each recipient has its own lane, so that a dead one delays nobody else. */

/** Mail lanes that send at the same time: a Worker has six connections, and the webhook and the rows use one each. */
const MAILS_AT_ONCE = 4
/** Deliveries of one lane that are read at once. */
const PORTION = 500
/** Alarm interval while a lane is busy. The lane sets the alarm itself when it ends; after a crash its claims expire. */
const BUSY_MS = 5_000

interface AlertLanesDeps {
  readonly hub: string
  readonly storage: AlertStorage
  channels(): AlertChannels
  waitUntil(work: Promise<unknown>): void
  /** Called when something else is due. */
  onChanged(): void
  onMessages(): void
}

/** A delivery is claimed in a transaction before it is sent. After a crash of the hub it is sent again with the same id. */
export class AlertLanes {
  private readonly deps: AlertLanesDeps
  private readonly running = new Set<string>()

  constructor(deps: AlertLanesDeps) {
    this.deps = deps
  }

  start(now: number): void {
    const { storage, waitUntil } = this.deps
    for (const { lane, nextAt } of storage.waitingLanes()) {
      if (this.isBusy(lane) || this.laneDueAt(lane, nextAt, now) > now) continue
      this.running.add(lane)
      waitUntil(this.run(lane))
    }
  }

  dueAt(now: number): number | null {
    const lanes = this.deps.storage.waitingLanes()
    return earliest(
      lanes.map(({ lane, nextAt }) =>
        this.isBusy(lane) ? Math.max(nextAt, now + BUSY_MS) : this.laneDueAt(lane, nextAt, now),
      ),
    )
  }

  /** Time at which a delivery that waits for no other is sent: never in the past, also where its lane is held up. */
  sendAt(one: Delivery, now: number): number {
    return Math.max(now, this.laneDueAt(laneOf(one), one.nextAt, now))
  }

  /** True while the lane delivers, and for a mail lane while `MAILS_AT_ONCE` others do; other lanes wait for nobody. */
  private isBusy(lane: string): boolean {
    if (this.running.has(lane)) return true
    return isMailLane(lane) && [...this.running].filter(isMailLane).length >= MAILS_AT_ONCE
  }

  private laneDueAt(lane: string, nextAt: number, now: number): number {
    const kind = this.kindOf(lane)
    return laneDue(nextAt, this.deps.storage.lane(lane, kind, now), kind)
  }

  private kindOf(lane: string): BucketKind {
    if (lane === 'webhook') return this.deps.storage.settings()?.webhook ?? 'other'
    return isMailLane(lane) ? 'mail' : 'site'
  }

  private async run(lane: string): Promise<void> {
    const { hub, onChanged } = this.deps
    try {
      while (await this.sendPortion(lane)) onChanged() // the alarm covers what is claimed
    } catch (error) {
      logFault(hub, 'alerts', error)
    } finally {
      this.running.delete(lane)
      onChanged()
    }
  }

  /** False if nothing is to be sent now. */
  private async sendPortion(lane: string): Promise<boolean> {
    const { storage } = this.deps
    const [now, kind] = [Date.now(), this.kindOf(lane)]
    const plan = planLane(storage.waiting(lane, now, PORTION), storage.lane(lane, kind, now), kind, now)
    if (plan.send.length + plan.closed.length === 0) return false
    storage.transaction(() => {
      for (const one of [...plan.closed, ...plan.send]) storage.putDelivery(one)
      storage.saveLane(lane, plan.lane)
    })
    this.deps.onChanged()
    if (lane === 'site') await this.sendSite(plan.send)
    else for (const one of plan.send) this.applyResult(lane, one, await this.send(one))
    return plan.send.length > 0
  }

  private async sendSite(deliveries: readonly Delivery[]): Promise<void> {
    const { storage, channels, onMessages } = this.deps
    const accountId = storage.settings()?.accountId ?? 0
    const result = await attempt(async () => {
      await channels().site(accountId, deliveries)
      return { kind: 'ok', code: '', words: '' }
    })
    for (const one of deliveries) this.applyResult('site', one, result)
    if (result.kind === 'ok') onMessages()
  }

  private send(one: Delivery): Promise<SendResult> {
    const channels = this.deps.channels()
    const host = this.deps.storage.settings()?.host ?? ''
    return attempt(() => (one.channel === 'mail' ? channels.mail(one, host) : channels.webhook(one)))
  }

  private applyResult(lane: string, one: Delivery, result: SendResult): void {
    const { storage } = this.deps
    const [now, kind] = [Date.now(), this.kindOf(lane)]
    const random = Math.random()
    count('deliveries')
    if (result.kind !== 'ok' && result.kind !== 'unsent') count('failedDeliveries')
    const outcome = applyResult(one, storage.lane(lane, kind, now), result, { kind, now, random })
    storage.transaction(() => {
      storage.putDelivery(outcome.delivery)
      storage.saveLane(lane, outcome.lane)
      if (outcome.hasPaused) storage.putDelivery(pauseNotice(lane, outcome.delivery, now))
    })
  }

  /** Sends a failed or skipped delivery again when a person asks for it, also if its channel is paused. */
  resend(id: string, now: number): void {
    const { storage } = this.deps
    const one = storage.delivery(id)
    if (!one || (one.state !== 'failed' && one.state !== 'skipped')) return // a repeated command
    if (storage.isOutdated(id)) return
    storage.transaction(() => {
      storage.putDelivery(resend(one, now))
      this.resume(laneOf(one), now)
    })
  }

  /** Resumes a lane that was paused or down before `at`, the time at which the webhook was set again. */
  resumeBefore(lane: string, at: number, now: number): void {
    const { pausedAt, downSince, trouble } = this.deps.storage.lane(lane, this.kindOf(lane), now)
    if ([pausedAt, downSince, trouble?.since].some((began) => (began ?? at) < at))
      this.deps.storage.transaction(() => this.resume(lane, now))
  }

  /** Sends the ends of alerts that the recipient knows of; they were skipped during the pause. */
  private resume(lane: string, now: number): void {
    const { storage } = this.deps
    const known = storage.lane(lane, this.kindOf(lane), now)
    storage.saveLane(lane, { ...known, failures: 0, pausedAt: null, holdUntil: 0, downSince: null, trouble: null })
    for (const one of storage.skippedEnds(lane)) storage.putDelivery(resend(one, now))
  }
}

const isMailLane = (lane: string): boolean => lane.startsWith('mail ')

async function attempt(send: () => Promise<SendResult>): Promise<SendResult> {
  try {
    return await send()
  } catch {
    return { kind: 'retry', code: '', words: '发送失败，将自动重试', afterMs: 0 }
  }
}

/** A site message that a channel is paused. */
function pauseNotice(lane: string, failed: Delivery, now: number): Delivery {
  const name = failed.channel === 'mail' ? `邮箱${failed.target}` : 'Webhook'
  return {
    ...failed,
    id: `${failed.id}.paused`,
    alertId: '',
    kind: 'paused',
    channel: 'site',
    target: '',
    title: `${name}的告警通知已暂停`,
    lines: [`连续${ALERT_RETRY.failuresMax}次投递失败：${failed.words}`, '请检查配置后，在监控告警的投递记录中重发。'],
    networks: [],
    networkNumber: '',
    routerName: '',
    event: `channel.paused.${lane}`,
    at: now,
    state: 'pending',
    tries: 0,
    nextAt: now,
    createdAt: now,
    triedFrom: now,
    doneAt: null,
    code: '',
    words: '',
  }
}
