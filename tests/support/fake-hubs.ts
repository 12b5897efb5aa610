import type { HubKind, HubName } from '#contract/kernel/hubs.ts'
import { evaluateNetwork } from '#domain/health/network.ts'
import { NEVER_SEEN, noConfig } from '#domain/router/presence.ts'
import type { LiveHubs } from '#http/context.ts'

export interface HubCall {
  readonly kind: HubKind | 'directory'
  readonly hub: HubName
  readonly method: string
  readonly args: readonly unknown[]
}

type Answers = Readonly<Record<string, (hub: HubName, ...args: never[]) => unknown>>

/** Default answers of hubs that no device has ever connected to. */
const DEFAULTS: Answers = {
  'router.traffic': () => ({ data: {}, presence: NEVER_SEEN, config: noConfig }),
  'router.trafficSeries': () => ({ from: 0, to: 0, data: {} }),
  'router.linkTotals': () => ({}),
  'router.linkSeries': () => ({ from: 0, to: 3_600_000, step_ms: 60_000, points: [] }),
  'router.wanTraffic': () => ({ step_ms: 300_000, points: [] }),
  'router.flowSeries': () => ({ step_ms: 300_000, series: [], uncounted: null }),
  'router.flowTop': () => ({ rows: [], uncounted: null }),
  'router.presenceTraffic': () => ({ since: null, upload: 0, download: 0, countsFlows: false }),
  'router.ask': () => ({ state: 'offline' }),
  'router.exportStorage': () => ({ values: [], tables: [], rows: [], next: null }),
  'network.diagnose': () => 'accepted',
  'network.diagnosis': () => null,
  'network.diagnoses': () => ({ rows: [], count: 0 }),
  'network.status': () => ({ seq: 1, members: [], links: [], health: evaluateNetwork([], []).health }),
}

/** Of a hub that is overloaded or gone. */
export const noAnswer = () => Promise.reject(new Error('overloaded'))

/**
 * Fake hubs that record their calls. `over` gives what a method returns, by `hub.method`
 * (`'router.requestReport': () => true`); a method without a default answers undefined.
 */
export function fakeHubs(over: Answers = {}): { hubs: LiveHubs; calls: HubCall[] } {
  const answers = { ...DEFAULTS, ...over }
  const calls: HubCall[] = []
  const port = (kind: HubCall['kind']) => (hub: HubName) =>
    new Proxy(
      {},
      {
        get:
          (_, method) =>
          async (...args: unknown[]) => {
            calls.push({ kind, hub, method: String(method), args })
            return (answers[`${kind}.${String(method)}`] as ((...all: unknown[]) => unknown) | undefined)?.(
              hub,
              ...args,
            )
          },
      },
    )
  const connect = async (kind: HubKind, hub: HubName, identity: unknown) => {
    calls.push({ kind, hub, method: 'connect', args: [identity] })
    return (answers[`${kind}.connect`] as ((...all: unknown[]) => unknown) | undefined)?.(hub, identity)
  }
  const hubs = {
    router: port('router'),
    network: port('network'),
    account: port('account'),
    directory: port('directory'),
    connect,
  }
  return { hubs: hubs as LiveHubs, calls }
}
