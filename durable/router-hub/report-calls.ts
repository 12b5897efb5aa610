import type { FlowQuestion, RouterHubRpc, TimeRange, Viewer } from '#contract/kernel/hubs.ts'
import type { TrafficRange } from '#contract/kernel/hub-limits.ts'
import { Hub } from '#durable/hub.ts'
import type { ViewerBody } from '#durable/viewers.ts'
import type { DeviceReports } from './device-reports.ts'

type Shown = Pick<Awaited<ReturnType<RouterHubRpc['traffic']>>, 'presence' | 'config'>

/** Calls of a router's hub that read what its device has reported, and change nothing. */
export abstract class ReportedHub extends Hub {
  protected abstract readonly reports: DeviceReports
  /** Presence and configuration as consoles show them. */
  protected abstract view(): Shown

  async traffic(): ReturnType<RouterHubRpc['traffic']> {
    return { data: this.reports.series.history(Date.now()), ...this.view() }
  }

  async trafficSeries(range: TrafficRange, at?: number): ReturnType<RouterHubRpc['trafficSeries']> {
    return this.reports.series.series(range, Date.now(), at)
  }

  flowSeries(question: FlowQuestion): ReturnType<RouterHubRpc['flowSeries']> {
    return this.reports.flows.flowSeries(question)
  }

  flowTop(question: FlowQuestion): ReturnType<RouterHubRpc['flowTop']> {
    return this.reports.flows.flowTop(question)
  }

  async wanTraffic(range: TimeRange): ReturnType<RouterHubRpc['wanTraffic']> {
    return this.reports.flows.wanTraffic(range)
  }

  async presenceTraffic(): ReturnType<RouterHubRpc['presenceTraffic']> {
    return this.reports.flows.presenceTraffic()
  }

  protected override viewerState(_: Viewer, what: 'all' | 'latest'): readonly ViewerBody[] {
    const traffic: ViewerBody =
      what === 'all'
        ? { type: 'history', data: this.reports.series.history(Date.now()) }
        : { type: 'interface', data: this.reports.series.latest(Date.now()) }
    return [{ type: 'router', data: this.view() }, traffic]
  }
}
