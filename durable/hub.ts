import { DurableObject } from 'cloudflare:workers'
import type {
  DeviceIdentity,
  HubKind,
  HubName,
  Hubs,
  ReturningDevice,
  UpgradeIdentity,
  Viewer,
} from '#contract/kernel/hubs.ts'
import { CLOSE, PING, PONG, type ViewerRequest } from '#contract/kernel/protocol.ts'
import { wakeAt } from './async.ts'
import { MissingRow } from './missing-row.ts'
import { openPrimary } from '#db/client.ts'
import { selectRemoval } from '#db/hub-outbox.ts'
import { withRequestId } from './fault-log.ts'
import { REQUEST_ID_HEADER, createHubs, isHubName, readUpgradeIdentity, callMethod } from './hubs.ts'
import { reportTrouble } from './status-hub/client.ts'
import { type ViewerBody, Viewers, closedSocket } from './viewers.ts'

const SELF_TEST_KEY = 'self_test'

/**
 * Base class of the hubs: upgrades, viewers, frame numbers, alarm. A hub under a name of an earlier release closes
 * its sockets, deletes itself and answers nothing; clients reconnect to the new one. One that was woken without its
 * name, as by an alarm of an older runtime, answers nothing and deletes nothing: it cannot read its row.
 */
export abstract class Hub extends DurableObject<Env> {
  protected readonly hubs: Hubs
  protected readonly viewers: Viewers
  protected readonly row: MissingRow
  /** Number of the newest frame to viewers; starts from the clock, so that it never falls back after hibernation. */
  protected seq = Date.now()
  protected readonly isRetired: boolean

  constructor(ctx: DurableObjectState, env: Env, kind: HubKind) {
    super(ctx, env)
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(PING, PONG))
    this.hubs = createHubs(env)
    this.isRetired = !isHubName(ctx.id.name)
    this.row = new MissingRow(ctx, env, kind)
    this.viewers = new Viewers(ctx, {
      hub: ctx.id.name ?? '',
      register: (viewer, on) => this.register(viewer, { sessionId: viewer.sessionId, kind, hub: this.hub, on }),
      isAuthorized: (viewer) => this.isAuthorized(viewer),
      seq: () => this.seq,
      state: (viewer, what) => this.viewerState(viewer, what),
    })
    if (this.isRetired && ctx.id.name !== undefined) void ctx.blockConcurrencyWhile(() => this.retire())
  }

  /** Frames for a viewer that has just connected or missed some (`all`), or that was slow (`latest`). */
  protected abstract viewerState(viewer: Viewer, what: 'all' | 'latest'): readonly ViewerBody[]
  /** Reads the rows if necessary, before a viewer connects, or before its message is handled (null). */
  protected abstract prepare(viewer: Viewer | null): Promise<void>
  protected abstract onAlarm(): Promise<void>
  /** Times at which the alarm has to fire; null for never. */
  protected abstract dueTimes(): readonly (number | null)[]
  /** Resets the fields by the storage, which has just been deleted, or came from another hub. */
  protected abstract reset(): void

  /** Authorizes a viewer; called again after each read of the rows. */
  protected isAuthorized({ accountId }: Viewer): boolean {
    return accountId === this.owner()
  }

  protected onViewersChanged(): void {}

  protected onViewerMessage(_request: ViewerRequest | null, _socket: WebSocket): void {}

  protected async connectDevice(_device: DeviceIdentity): Promise<Response> {
    return new Response(null, { status: 400 })
  }

  protected async reconnectDevice(_returning: ReturningDevice): Promise<Response> {
    return new Response(null, { status: 400 })
  }

  protected async onDeviceMessage(_socket: WebSocket, _message: string | ArrayBuffer): Promise<void> {}

  protected onDeviceClose(_socket: WebSocket, _code: number): void {}

  /** The name of this hub, by which it finds its row. */
  protected get hub(): HubName {
    if (this.ctx.id.name === undefined) throw new Error('this hub was woken without its name')
    return this.ctx.id.name
  }

  override async fetch(request: Request): Promise<Response> {
    if (this.isRetired) return closedSocket(CLOSE.restart, 'renamed')
    const identity = readUpgradeIdentity(request)
    if (!identity || identity.by === 'tunnel') return new Response(null, { status: 400 })
    if (identity.by === 'selfTest') return this.connectSelfTest()
    return withRequestId(request.headers.get(REQUEST_ID_HEADER), async () => {
      const response = await this.openSocket(identity)
      await this.schedule()
      return response
    })
  }

  private openSocket(identity: Exclude<UpgradeIdentity, { by: 'tunnel' | 'selfTest' }>): Promise<Response> {
    if (identity.by === 'device') return this.connectDevice(identity.device)
    return identity.by === 'returning' ? this.reconnectDevice(identity.returning) : this.connectViewer(identity.viewer)
  }

  override async webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): Promise<void> {
    if (this.isRetired) return
    if (!this.viewers.isViewer(socket)) return this.onDeviceMessage(socket, message)
    await this.prepare(null)
    this.onViewerMessage(this.viewers.onMessage(socket, message, Date.now()), socket)
  }

  override async webSocketClose(socket: WebSocket, code: number): Promise<void> {
    if (this.isRetired) return
    if (this.viewers.isViewer(socket)) {
      this.viewers.onClose(socket)
      return this.onViewersChanged()
    }
    this.onDeviceClose(socket, code)
    await this.schedule()
  }

  override webSocketError(socket: WebSocket): Promise<void> {
    return this.webSocketClose(socket, 1006)
  }

  override async alarm(): Promise<void> {
    if (this.isRetired) return
    this.viewers.sweep(Date.now())
    await this.onAlarm()
    await this.schedule()
    void reportTrouble(this.env)
  }

  /** RPC entry of the client in hubs.ts: runs a method with the id of the request behind it. */
  rpc(requestId: string | undefined, method: string, args: readonly unknown[]): Promise<unknown> {
    return callMethod(this, requestId, method, args).finally(() => void reportTrouble(this.env))
  }

  async endSessions(sessionIds: string[]): Promise<void> {
    this.viewers.end(sessionIds)
    this.onViewersChanged()
  }

  async selfTest(text: string): Promise<{ stored: string | undefined; release: string }> {
    const { kv } = this.ctx.storage
    kv.put(SELF_TEST_KEY, text)
    await this.ctx.storage.sync()
    const stored = kv.get<string>(SELF_TEST_KEY)
    kv.delete(SELF_TEST_KEY)
    return { stored, release: this.env.CF_VERSION_METADATA?.id ?? '' }
  }

  protected broadcast(body: ViewerBody | ((viewer: Viewer) => ViewerBody)): void {
    this.seq += 1
    this.viewers.broadcast(body)
  }

  protected schedule(): Promise<void> {
    return wakeAt(this.ctx.storage, this.dueTimes())
  }

  /** Account of the hub's row; undefined until it was read. */
  protected owner(): number | undefined {
    return this.ctx.storage.kv.get<number>('owner')
  }

  /** A row of another account: everything of the earlier one is deleted first. */
  protected async setOwner(accountId: number): Promise<void> {
    const owner = this.owner()
    if (owner === accountId) return
    if (owner !== undefined) await this.deleteAll(CLOSE.sessionEnded, 'not allowed')
    this.ctx.storage.kv.put('owner', accountId)
  }

  /**
   * A read has found no row, which proves no deletion: viewers come back later, and all data is kept. Only a hub that holds
   * none is deleted, so that nothing is left of one that was called by mistake.
   */
  protected async onRowMissing(isBlank: boolean, serial: string | null = null): Promise<void> {
    const marked = isBlank ? undefined : this.row.mark(serial) // before the closes, whose changes would be saved
    this.closeDevice(CLOSE.restart, 'no row')
    this.viewers.closeAll(CLOSE.restart, 'no row')
    await marked
    if (isBlank) await this.deleteAll(CLOSE.restart, 'no row')
  }

  /** True if the outbox holds the removal of this hub, which then need not wait for its delivery. */
  protected async isRemovalQueued(): Promise<boolean> {
    return (await selectRemoval(openPrimary(this.env), this.hub)).length > 0
  }

  protected closeDevice(_code: number, _reason: string): void {}

  protected async deleteAll(code: number, reason: string): Promise<void> {
    this.viewers.closeAll(code, reason)
    await this.deleteStorage()
    this.reset()
  }

  private async deleteStorage(): Promise<void> {
    await this.ctx.storage.deleteAlarm()
    await this.ctx.storage.deleteAll()
  }

  /** Registers a watcher with the account's hub, or takes it off; false: the session has just ended. */
  protected register(viewer: Viewer, entry: Parameters<ReturnType<Hubs['account']>['watching']>[0]): Promise<boolean> {
    return this.hubs.account(viewer.accountHub).watching(entry)
  }

  /** Socket whose ping the platform answers, as it does for viewers and devices; nothing else is sent on it. */
  private connectSelfTest(): Response {
    const { 0: client, 1: socket } = new WebSocketPair()
    this.ctx.acceptWebSocket(socket)
    return new Response(null, { status: 101, webSocket: client })
  }

  private async connectViewer(viewer: Viewer): Promise<Response> {
    await this.prepare(viewer)
    const response = this.viewers.accept(viewer, Date.now())
    this.onViewersChanged()
    return response
  }

  /** Closes and deletes a hub of an earlier release. Never with 4002, on which a device gives up its configuration. */
  private async retire(): Promise<void> {
    for (const socket of this.ctx.getWebSockets()) socket.close(CLOSE.restart, 'renamed')
    await Promise.resolve() // the constructor of the subclass has made its tables by then
    await this.deleteStorage()
  }
}

/** Throws outside local runs: only the demo imports a history. */
export function requireLocal({ ENVIRONMENT }: Pick<Env, 'ENVIRONMENT'>): void {
  if (ENVIRONMENT !== 'local') throw new Error('a history is imported in local runs only')
}
