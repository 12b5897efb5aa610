import { CONFIG_PUSH, PRESENCE } from '../../worker/contract/limits.ts'
import { wakeAt } from '../alarm.ts'
import { createHubs, numberOf } from '../hubs.ts'
import { OwedTask } from '../owed-task.ts'
import { CLOSE, type HubFrame, type LinkReport } from '../../worker/contract/protocol.ts'
import { SingleFlight } from '../single-flight.ts'
import { admit } from './admission.ts'
import { payDebts, tellLinks } from './drain.ts'
import {
  type RouterEffect,
  type RouterEvent,
  type RouterState,
  blankRouter,
  isOnline,
  nextDue,
  step,
} from './machine.ts'
import { type Outbox, isDue, owe } from './outbox.ts'
import { lookAgainAt } from './presence.ts'
import { documentParts, loadDocument, loadState, saveDocument, saveState } from './state.ts'
import { readRouter } from './store.ts'

/** What the engine asks of its hub. */
interface Hub {
  /** False where the frame could not leave. */
  send(frame: HubFrame): boolean
  /** Closes the device's socket. */
  drop(code: number, reason: string): void
  /** When the device gave its last sign of life; null without a socket. */
  heardAt(): number | null
  isWatched(): boolean
  /** Presence or configuration moved: viewers are told. */
  show(): void
  /** The rows were read anew: the router may have left networks. */
  refreshed(): void
  /** The device is online no more. */
  gone(): void
  /** The router's row is gone: the hub has to go, too. */
  removed(): Promise<void>
}

/** One router's state: each event goes through `step`, what moved is stored, and the effects are carried out. */
export class RouterEngine {
  private current: RouterState
  private readonly compiling: OwedTask
  private readonly draining = new SingleFlight(() => this.drain())
  /** A look at the lease that cannot wait for the next check. */
  private lookAt: number | null = null
  private readonly ctx: DurableObjectState
  private readonly env: Env
  private readonly hub: Hub

  constructor(ctx: DurableObjectState, env: Env, hub: Hub) {
    this.ctx = ctx
    this.env = env
    this.hub = hub
    this.current = loadState(ctx.storage)
    this.compiling = new OwedTask(ctx, () => this.compile())
  }

  get state(): RouterState {
    return this.current
  }

  /** After the hub was built: sockets that are gone were cut by a restart, and so may have been the payment of a debt. */
  start(): void {
    this.look()
    if (isDue(this.state.outbox, Date.now())) this.ctx.waitUntil(this.draining.run())
  }

  apply(event: RouterEvent): void {
    const { state, effects } = step(this.state, event, Date.now())
    this.commit(state)
    for (const effect of effects) this.perform(effect)
  }

  /** How long a device that wants in has to wait; 0 lets it in. */
  admit(now: number): number {
    const { admission, waitMs } = admit(this.state.admission, now)
    this.commit({ ...this.state, admission })
    return waitMs
  }

  look(isSuspect = false): void {
    const heardAt = this.hub.heardAt()
    this.lookAt = lookAgainAt(heardAt, isSuspect, Date.now())
    this.apply({ type: 'looked', heardAt })
  }

  /** What could not leave raises suspicion. */
  send(frame: HubFrame): void {
    if (!this.hub.send(frame)) this.look(true)
  }

  /** The rows are read anew; throws where they cannot be, and stays owed. */
  refresh(): Promise<void> {
    return this.compiling.run()
  }

  async wake(): Promise<void> {
    this.look()
    this.apply({ type: 'due' })
    await this.compiling.retry()
    if (isDue(this.state.outbox, Date.now())) await this.draining.run()
  }

  /** Sets the alarm for whatever falls due first. */
  async schedule(): Promise<void> {
    const isWatched = this.hub.isWatched()
    const checkMs = isWatched ? PRESENCE.watchedCheckMs : PRESENCE.idleCheckMs
    const check = isWatched || this.state.presence.connected ? Date.now() + checkMs : null
    await wakeAt(this.ctx.storage, [nextDue(this.state), this.lookAt, check, this.compiling.dueAt()])
  }

  /** The router is gone, and with it everything that was stored. */
  async forget(): Promise<void> {
    await this.ctx.storage.deleteAlarm()
    await this.ctx.storage.deleteAll()
    this.current = blankRouter
  }

  /** Stores what moved. Frames that follow leave only once that is on disk: the platform holds them back till then. */
  private commit(state: RouterState): void {
    const before = this.current
    saveState(this.ctx.storage, before, state)
    this.current = state
    if (isOnline(before) && !isOnline(state)) this.hub.gone()
    if (state.outbox.change > before.outbox.change && isDue(state.outbox, Date.now())) {
      this.ctx.waitUntil(this.draining.run())
    }
  }

  private perform(effect: RouterEffect): void {
    switch (effect.type) {
      case 'send':
        return this.send(effect.frame)
      case 'push':
        return this.push()
      case 'drop':
        return this.hub.drop(effect.code, effect.reason)
      case 'show':
        return this.hub.show()
      case 'links':
        return this.tellLinks(effect.links)
    }
  }

  private push(): void {
    const { version, hash } = this.state.config
    const body = loadDocument(this.ctx.storage)
    if (body) this.send({ t: 'config', version, hash, body, confirm_s: CONFIG_PUSH.confirmSeconds })
  }

  private tellLinks(links: readonly LinkReport[]): void {
    const { router } = this.state
    if (!router) return
    const oweThem = () => this.settle((outbox) => owe(outbox, {}))
    this.ctx.waitUntil(tellLinks(createHubs(this.env), router, links).catch(oweThem))
  }

  /** Reads the rows and compiles them. What the database forgets in that read is owed here already. */
  private async compile(): Promise<void> {
    const { storage } = this.ctx
    const read = await readRouter(this.env, numberOf(this.ctx.id))
    if (!read) return this.hub.removed()
    const isKept = read.event.hash === this.state.config.hash && documentParts(storage.kv) > 0
    if (!isKept) saveDocument(storage, read.document)
    this.apply(read.event)
    this.hub.refreshed()
    this.compiling.done()
    if (!read.hasKey) this.hub.drop(CLOSE.removed, 'key reset')
    await this.schedule()
  }

  private async drain(): Promise<void> {
    await payDebts(this.env, this.state, (change) => this.settle(change))
    await this.schedule()
  }

  /** A hub that was removed meanwhile owes nothing. */
  private settle(change: (outbox: Outbox) => Outbox): void {
    if (this.state.router) this.commit({ ...this.state, outbox: change(this.state.outbox) })
  }
}
