import type { LinkCause, NetworkSummary, PopProblem } from '#contract/kernel/health.ts'
import type {
  AccountHubRpc,
  AcknowledgedAlert,
  DirectoryTrouble,
  FailingChannel,
  HealthAnswer,
  HubName,
  OpenAlert,
  StateMove,
} from '#contract/kernel/hubs.ts'
import { earliest, timeText, SHANGHAI_OFFSET_MS } from '#contract/kernel/time.ts'
import type { DeliveryAnswer, DeliveryQuestion } from '#contract/monitor/index.ts'
import { openPrimary } from '#db/client.ts'
import {
  type RouterChange,
  directoryConditions,
  endedServices,
  popConditions,
  routerConditions,
  serviceConditions,
  suspicionConditions,
} from '#domain/monitor/conditions.ts'
import { type Delivery, type MailRecipient, expandNotice, laneOf } from '#domain/monitor/delivery.ts'
import { replayAlerts, toArrived } from '#domain/monitor/history.ts'
import { type AlertEvent, type Change, type Condition, isNothing } from '#domain/monitor/state.ts'
import { alertsDue, step } from '#domain/monitor/step.ts'
import { unsentWords } from '#domain/contacts/authorization.ts'
import { quietUntil } from '#domain/monitor/settings.ts'
import { deleteAlertCommands } from '#features/monitor/sql.ts'
import { type AlertChannels, createAlertChannels } from './alert-channels.ts'
import { AlertLanes } from './alert-lanes.ts'
import { AlertRecords } from './alert-records.ts'
import { type AlertRows, type MonitorRead, readAlertFacts, readAlertRows } from './alert-rows.ts'
import { AlertStorage } from './alert-storage.ts'
import { loadServiceCursor, loadServiceDue, saveServiceCursor, saveServiceDue } from '../storage.ts'

/* Alerts of an account: conditions, time and commands of people drive the state machine; the alarm of the hub runs it. */

/** Wait after a failed read of the rows. */
const RETRY_MS = 30_000

interface AlertsDeps {
  readonly env: Env
  readonly hub: HubName
  readonly storage: DurableObjectStorage
  waitUntil(work: Promise<unknown>): void
  onChanged(): void
  onMessages(): void
  onAcknowledged(): void
  /** Newest summaries of all networks. */
  summaries(): readonly { readonly number: string; readonly summary: NetworkSummary }[]
}

/** Alerts that the state machine of worker/domain/monitor/ opens are stored with their deliveries in one transaction. */
export class Alerts {
  readonly records: AlertRecords
  readonly storage: AlertStorage
  private channels: AlertChannels
  private readonly lanes: AlertLanes
  private readonly deps: AlertsDeps
  private retryAt = 0

  constructor(deps: AlertsDeps) {
    this.deps = deps
    this.storage = new AlertStorage(deps.storage)
    this.records = new AlertRecords(deps.storage.sql)
    this.channels = createAlertChannels(deps.env, deps.hub)
    this.lanes = new AlertLanes({ ...deps, storage: this.storage, channels: () => this.channels })
  }

  /** False before the first read of the rows. */
  get isReady(): boolean {
    return this.storage.settings() !== undefined
  }

  /** True if alerts about offline routers are on; leases are then checked more often. */
  get watchesPresence(): boolean {
    const { enable, rules } = this.storage.settings()?.settings ?? {}
    return enable === true && rules?.router_offline.on === true
  }

  routerChanged(change: RouterChange, moves: readonly StateMove[], now: number): void {
    if (this.isReady) this.observe(routerConditions(change, moves, now), now)
  }

  /** A hub of the release before sends no `problems`. */
  popsChanged(number: string | undefined, problems: readonly PopProblem[] | undefined, now: number): void {
    if (number === undefined || problems === undefined) return
    this.observe(popConditions(this.storage.state, number, problems, now), now)
  }

  /** Open alerts about lost centres follow the health of their networks. */
  healthChanged(now: number): void {
    const alerts = [...this.storage.state.alerts.values()]
    if (alerts.some(({ serves }) => serves !== undefined)) this.step({ type: 'health', healths: this.healths() }, now)
  }

  private healths() {
    return new Map(this.deps.summaries().map(({ number, summary }) => [number, summary.health]))
  }

  /** Causes of one network have changed; those of all networks are judged together. */
  causesChanged(causes: readonly LinkCause[], now: number): void {
    const { pending, alerts, children } = this.storage.state
    const known = [...pending.values(), ...alerts.values(), ...children.values()]
    if (causes.length === 0 && !known.some(({ isSuspected }) => isSuspected)) return
    this.observe(suspicionConditions(this.storage.state, this.deps.summaries(), now), now)
  }

  async directoryChanged(troubles: readonly DirectoryTrouble[], now: number): Promise<void> {
    if (!this.isReady) await this.readRows()
    this.observe(directoryConditions(this.storage.state, troubles, now), now)
  }

  openAlerts(): readonly OpenAlert[] {
    const { alerts, children } = this.storage.state
    return [...alerts.values()].map(({ id, rule, object, networks, ackBy, ackAt, serves = [] }) => {
      const served = new Set(serves.flatMap((network) => network.centers))
      const folded = served.size === 0 ? [] : [...children.values()].filter(({ alertId }) => alertId === id)
      const centers = [object, ...folded.map((child) => child.object)].filter((name) => served.has(name))
      return { id, rule, object, centers, networks, ackBy, ackAt }
    })
  }

  /** Failing channels that are still in use. */
  failingChannels(): readonly FailingChannel[] {
    const read = this.storage.settings()
    if (read === undefined || !read.settings.enable) return []
    const lanes = new Map(this.storage.failingLanes().map(({ name, ...trouble }) => [name, trouble]))
    const used = [
      ...(read.webhook === null ? [] : [{ channel: 'webhook' as const, target: '' }]),
      ...[...new Set([...read.mails, ...read.escalation])].map((target) => ({ channel: 'mail' as const, target })),
    ]
    return used.flatMap((one) => {
      const trouble = lanes.get(laneOf(one))
      return trouble ? [{ ...one, ...trouble }] : []
    })
  }

  deliveries(question: DeliveryQuestion): DeliveryAnswer {
    const now = Date.now()
    const found = this.records.deliveries(question, (one) => this.lanes.sendAt(one, now))
    return { ...found, paused: this.storage.pausedLanes(question.channel) }
  }

  private observe(conditions: readonly Condition[], now: number): void {
    for (const condition of conditions) this.step({ type: 'condition', ...condition }, now)
  }

  private step(event: AlertEvent, now: number): void {
    const read = this.storage.settings()
    if (read === undefined) return
    const change = step(this.storage.state, event, now, read.settings)
    if (isNothing(change)) return
    this.storage.save(change, toDeliveries(change, read, now))
    this.deps.onChanged()
  }

  async readRows(): Promise<void> {
    const { env, hub, storage } = this.deps
    const now = Date.now()
    const cursor = loadServiceCursor(storage) ?? now
    const rows = await readAlertRows(env, hub, { endsAfter: cursor, ended: endedServices(this.storage.state), now })
    if (rows === null) return
    this.storage.saveSettings(rows.monitor)
    this.step({ type: 'settings' }, now)
    this.lanes.resumeBefore('webhook', rows.monitor.webhookAt, now)
    this.endServices(rows, now)
    await this.runCommands(rows, now)
    this.deps.onChanged()
  }

  private endServices({ services, known }: AlertRows, now: number): void {
    const ended = services.filter(({ expireAt }) => expireAt <= now)
    this.observe(serviceConditions(this.storage.state, { ended, known }, now), now)
    const { storage } = this.deps
    saveServiceCursor(storage, services.length === ended.length ? (ended.at(-1)?.expireAt ?? now) : now)
    saveServiceDue(storage, services[ended.length]?.expireAt ?? null)
  }

  private async runCommands({ commands, monitor }: AlertRows, now: number): Promise<void> {
    if (commands.length === 0) return
    for (const { kind, target, actor } of commands) {
      if (kind === 'acknowledge') this.step({ type: 'acknowledge', alertId: target, by: actor }, now)
      else this.lanes.resend(target, now)
    }
    if (commands.some(({ kind }) => kind === 'acknowledge')) this.deps.onAcknowledged()
    const ids = commands.map(({ id }) => id)
    await deleteAlertCommands(openPrimary(this.deps.env), monitor.accountId, ids)
  }

  /** Alarm handler: conditions that have lasted long enough, reminders, deliveries. */
  async run(now: number): Promise<void> {
    try {
      if ((loadServiceDue(this.deps.storage) ?? Infinity) <= now) await this.readRows()
      await this.tick(now)
    } catch (error) {
      this.retryAt = now + RETRY_MS
      throw error
    } finally {
      this.lanes.start(now)
    }
    this.storage.prune(now)
  }

  private async tick(now: number): Promise<void> {
    const due = alertsDue(this.storage.state)
    if (due === null || due > now) return
    const pending = [...this.storage.state.pending.values()].filter(({ fireAt }) => fireAt <= now)
    const names = pending.map(({ object }) => object)
    const numbers = [...new Set(pending.flatMap(({ networks }) => networks))]
    const { routers, networks: rows } = await readAlertFacts(this.deps.env, this.deps.hub, { names, numbers })
    const healths = this.healths()
    const networks = new Map(
      [...rows].map(([number, row]) => {
        const health = healths.get(number)
        return [number, { ...row, ...(health && { health }) }]
      }),
    )
    const facts = { routers, networks }
    this.step({ type: 'tick', facts }, now) // `now` as before the read: what became due meanwhile has no facts yet
  }

  /** Opens and ends the alerts of a past, whose notices have arrived. */
  async importHistory(
    { alerts, routers }: Parameters<AccountHubRpc['importHistory']>[0],
    transitions: HealthAnswer['transitions'],
  ): Promise<readonly AcknowledgedAlert[]> {
    const { env, hub, onMessages } = this.deps
    const now = Date.now()
    await this.readRows()
    const rows = await readAlertRows(env, hub, { endsAfter: alerts.since, ended: [], now })
    if (rows === null) return []
    const names = Object.values(routers).map(({ name }) => name)
    const facts = await readAlertFacts(env, hub, { names, numbers: [] })
    const moves = transitions.toReversed().flatMap(({ routerHub, ...move }) => {
      const router = routers[routerHub]
      return router ? [{ ...move, routerName: router.name, seenIn: router.seenIn }] : []
    })
    const ended = rows.services.filter(({ expireAt }) => expireAt <= now)
    const past = { ...alerts, moves, ended, facts, settings: rows.monitor.settings, now }
    const acknowledged: AcknowledgedAlert[] = []
    const messages: Delivery[] = []
    for (const { change, at, acknowledged: one } of replayAlerts(this.storage.state, past)) {
      const deliveries = toDeliveries(change, rows.monitor, at).map(toArrived)
      this.storage.save(change, deliveries)
      messages.push(...deliveries.filter(({ channel }) => channel === 'site'))
      if (one) acknowledged.push({ ...one, at })
    }
    if (messages.length > 0) await this.channels.site(rows.monitor.accountId, messages)
    onMessages()
    return acknowledged
  }

  dueAt(now: number): number | null {
    const read = earliest([alertsDue(this.storage.state), loadServiceDue(this.deps.storage)])
    const waiting = read === null ? null : Math.max(read, this.retryAt)
    return earliest([waiting, this.lanes.dueAt(now), this.storage.pruneDueAt()])
  }
}

function toDeliveries({ notices }: Change, read: MonitorRead, now: number): readonly Delivery[] {
  const { accountId, quiet, mails, escalation, webhook, authorizedUntil = {} } = read
  const toRecipient = (address: string): MailRecipient => ({
    address,
    unsent: unsentWords(authorizedUntil[address], now),
  })
  const recipients = {
    mails: mails.map(toRecipient),
    escalation: escalation.map(toRecipient),
    hasWebhook: webhook !== null,
  }
  const context = { accountId, recipients, quietUntil: quietUntil(quiet, now, SHANGHAI_OFFSET_MS), now, timeText }
  return notices.flatMap((notice) => expandNotice(notice, context))
}
