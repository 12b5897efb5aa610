import type { FlowQuestion, RouterHubRpc, TimeRange, Viewer } from '#contract/kernel/hubs.ts'
import { LINK_RATES, LINK_TOTALS, STREAM, type LinkRange, type TrafficRange } from '#contract/kernel/hub-limits.ts'
import type { HubFrame } from '#contract/kernel/protocol.ts'
import type { LinksWatch } from '#contract/network/tunnels.ts'
import { Throttle } from '#durable/async.ts'
import { Hub } from '#durable/hub.ts'
import type { ViewerBody } from '#durable/viewers.ts'
import { StreamLease } from './device-socket.ts'
import type { FlowRecorder } from './flows/flow-recorder.ts'
import { LinkWatches } from './link-watches.ts'
import { isAuthorized, isOnline } from './state/machine.ts'
import { presenceView } from './state/presence.ts'
import { shownConfig } from './state/state-change.ts'
import type { RouterState } from './state/storage.ts'
import { TotalsReads } from './totals-reads.ts'
import type { TrafficStore } from './traffic/traffic-store.ts'

/** Reads of a router's hub: reports of its device over RPC, frames of its viewers, and the stream while somebody watches. */
export abstract class ViewerReads extends Hub {
  protected abstract state: RouterState
  protected abstract series: TrafficStore
  protected abstract readonly flows: FlowRecorder
  protected readonly stream = new StreamLease()
  protected readonly totals = new TotalsReads()
  protected readonly watches = new LinkWatches({
    hub: () => this.hub,
    hubs: this.hubs,
    routerName: () => this.state.router?.routerName,
    waitUntil: (work) => this.ctx.waitUntil(work),
  })
  private readonly shows = new Throttle(() => this.broadcast({ type: 'router', data: this.view() }))

  /** Sends a frame to the device; false if it could not be sent. */
  protected abstract send(frame: HubFrame): boolean

  async traffic(): ReturnType<RouterHubRpc['traffic']> {
    return { data: this.series.history(Date.now()), ...this.view() }
  }

  async trafficSeries(range: TrafficRange, at?: number): ReturnType<RouterHubRpc['trafficSeries']> {
    return this.series.series(range, Date.now(), at)
  }

  async linkTotals(ids: readonly string[]): ReturnType<RouterHubRpc['linkTotals']> {
    if (!isOnline(this.state)) return {}
    await this.totals.refresh(this.series.takenAt, Date.now(), () => this.onViewersChanged())
    return this.series.linkTotals(ids)
  }

  async watchLinks(watch: LinksWatch): Promise<void> {
    this.watches.watch(watch, Date.now())
    this.onViewersChanged()
  }

  async linkSeries(id: string, range: LinkRange): ReturnType<RouterHubRpc['linkSeries']> {
    const { steps, points } = this.series.linkSeries(id, range, Date.now())
    return { from: steps.from, to: steps.to, step_ms: steps.stepMs, points }
  }

  flowSeries(question: FlowQuestion): ReturnType<RouterHubRpc['flowSeries']> {
    return this.flows.flowSeries(question)
  }

  flowTop(question: FlowQuestion): ReturnType<RouterHubRpc['flowTop']> {
    return this.flows.flowTop(question)
  }

  async wanTraffic(range: TimeRange): ReturnType<RouterHubRpc['wanTraffic']> {
    return this.flows.wanTraffic(range)
  }

  async presenceTraffic(): ReturnType<RouterHubRpc['presenceTraffic']> {
    return this.flows.presenceTraffic()
  }

  // Viewers

  protected override isAuthorized(viewer: Viewer): boolean {
    return isAuthorized(this.state, viewer)
  }

  protected override viewerState(_: Viewer, what: 'all' | 'latest'): readonly ViewerBody[] {
    const traffic: ViewerBody =
      what === 'all'
        ? { type: 'history', data: this.series.history(Date.now()) }
        : { type: 'interface', data: this.series.latest(Date.now()) }
    return [{ type: 'router', data: this.view() }, traffic]
  }

  private view() {
    return { presence: presenceView(this.state.presence), config: shownConfig(this.state) }
  }

  /** Sends the state to viewers, at most twice a second: a device may change its configuration with each frame. */
  protected show(): void {
    if (this.viewers.sockets().length > 0) this.shows.trigger()
  }

  protected override onViewersChanged(): void {
    if (!isOnline(this.state)) return
    const now = Date.now()
    const frame = this.stream.next(this.rateMs(now), now, this.watches.wantsTrunks(now))
    if (frame) this.send(frame)
  }

  /** Time between two frames of counters; null while nobody looks. */
  private rateMs(now: number): number | null {
    if (this.viewers.isWatched(now)) return STREAM.rateMs
    if (this.watches.isWatched(now)) return LINK_RATES.everyMs
    return this.totals.isRead(now) ? LINK_TOTALS.everyMs : null
  }

  protected override onViewerMessage(): void {
    if (this.stream.isRenewalDue(Date.now())) this.onViewersChanged()
  }
}
