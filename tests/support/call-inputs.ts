import { EXAMPLE, type Endpoint } from '#contract/kernel/endpoint.ts'
import { LOG_EXPORTS, logsApi } from '#contract/logs/index.ts'
import { API } from '#contract/api.ts'
import { monitorApi } from '#contract/monitor/index.ts'
import { IMPACT_CALLS } from '#contract/network/changes.ts'
import { networkApi } from '#contract/network/index.ts'
import { routerApi } from '#contract/router/index.ts'

const [network, router] = [EXAMPLE.network_number, EXAMPLE.router_name]
/** A range that holds every row of a test, also those that begin while it runs. */
const always = () => ({ start_time: Date.now() - 86_400_000, end_time: Date.now() + 86_400_000 })

const impacts = (call: (typeof IMPACT_CALLS)[number]) => {
  const spec = API.find(({ path }) => [`network/${call}`, `router/${call}`].includes(path))!
  return { call, input: spec.example }
}

/**
 * Inputs that lead elsewhere than the endpoint's example does: another kind of socket, export or question, or an optional id.
 * They name the ids of the examples.
 */
const OTHERS = new Map<Endpoint, () => readonly object[]>([
  [routerApi.trafficTicket, () => [{ kind: 'network', network_number: network }, { kind: 'account' }]],
  [logsApi.export, () => LOG_EXPORTS.map((type) => ({ type, ...always() }))],
  [logsApi.connect, () => [always(), { router_name: router, ...always() }]],
  [
    logsApi.online,
    () =>
      (['p2p', 'pop'] as const).flatMap((mode) => [
        { mode, ...always() },
        { mode, router_name: router, ...always() },
      ]),
  ],
  [
    monitorApi.mute,
    () => [
      { kind: 'network', network_number: network, duration: 'hour' },
      { kind: 'all', duration: 'hour' },
    ],
  ],
  [routerApi.lists, () => [{ search: network }, { search: router }]],
  [networkApi.lists, () => [{ search: network }, { search: router }]],
  [networkApi.impact, () => IMPACT_CALLS.filter((call) => call !== 'restore').map(impacts)],
])

/** The example of an endpoint, and what leads elsewhere. */
export const inputsOf = (spec: Endpoint): readonly object[] => [spec.example as object, ...(OTHERS.get(spec)?.() ?? [])]
