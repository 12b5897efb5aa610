import type { AttentionRow, NetworkHealth } from '#contract/kernel/health.ts'
import type { PresenceView } from '#contract/kernel/protocol.ts'
import { type AlertRow, monitorApi } from '#contract/monitor/index.ts'
import { networkApi } from '#contract/network/index.ts'
import { type Overview, overviewApi } from '#contract/overview/index.ts'
import { routerApi } from '#contract/router/index.ts'
import type { Tenant } from './tenant.ts'

/* One sample of an outage: the answers behind overview, lists, pages of networks, and alerts. */

type Verdict = Pick<NetworkHealth, 'state' | 'issues' | 'cause'>

export interface NetworkSample {
  readonly name: string
  /** On the overview, in the list, and in the head of its page; null where it was not read. */
  readonly overview: Verdict
  readonly list: Verdict | null
  readonly page: Verdict | null
}

export interface Sample {
  /** Seconds since the outage began. */
  readonly at: number
  readonly status: Overview['status']
  readonly rows: readonly AttentionRow[]
  readonly networks: readonly NetworkSample[]
  readonly routers: readonly { readonly note: string; readonly name: string; readonly presence: PresenceView }[]
  /** Alerts that are open, and the number of all. */
  readonly alerts: readonly AlertRow[]
  readonly alertCount: number
}

const toVerdict = ({ state, issues, cause }: NetworkHealth): Verdict => ({ state, issues, cause })

/** `withPages`: also reads the page of each network, which takes a call of its hub. */
export async function readSample({ call, numbers }: Tenant, startedAt: number, withPages: boolean): Promise<Sample> {
  const page = { page: 1, limit: 100 } as const
  const [overview, listed, routers, alerts, ...pages] = await Promise.all([
    call(overviewApi.info, {}),
    call(networkApi.lists, page),
    call(routerApi.lists, { ...page, type: 1 }),
    call(monitorApi.alerts, page),
    ...(withPages ? [...numbers.values()] : []).map(async (network_number) => ({
      network_number,
      health: (await call(networkApi.status, { network_number })).health,
    })),
  ])
  const find = <T extends { readonly network_number: string }>(rows: readonly T[], number: string) =>
    rows.find(({ network_number }) => network_number === number)
  return {
    at: Math.round((Date.now() - startedAt) / 1000),
    status: overview.status,
    rows: overview.attention.rows,
    networks: overview.networks.map(({ network_number, network_name, health }) => {
      const [list, own] = [find(listed, network_number)?.health, find(pages, network_number)?.health]
      return {
        name: network_name,
        overview: toVerdict(health),
        list: list ? toVerdict(list) : null,
        page: own ? toVerdict(own) : null,
      }
    }),
    routers: routers.map(({ note, router_name, presence }) => ({ note, name: router_name, presence })),
    alerts: alerts.filter(({ end_time }) => end_time === null),
    alertCount: alerts.length,
  }
}
