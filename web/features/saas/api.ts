import { FLOWS } from '#contract/kernel/hub-limits.ts'
import { STATUS_POLL_MS } from '#contract/kernel/limits.ts'
import { isAllowed } from '#contract/kernel/permissions.ts'
import { saasApi } from '#contract/saas/index.ts'
import { QUIET } from '#lib/call/call.ts'
import { useCommand, useQuery } from '#lib/call/use-endpoint.ts'
import type { ListView } from '#ui/table/list-state.ts'
import type { TimeWindow } from '#ui/form/dates/time-window.tsx'
import { useGrants } from '#lib/session/session.ts'

/* Hooks of the endpoints of SaaS devices, and the address of their list. */

export const useMayEdit = () => isAllowed(saasApi.bandwidth.access, useGrants())

export const useSaasDevices = (search: string) =>
  useQuery(saasApi.router, { search }, { keepPrevious: true, pollMs: STATUS_POLL_MS })

export const useSaasInfo = (router_name: string) => useQuery(saasApi.info, { router_name }, { pollMs: STATUS_POLL_MS })

export const usePresences = (
  router_name: string,
  { page, limit, search }: Pick<ListView<never, never>, 'page' | 'limit' | 'search'>,
) => useQuery(saasApi.connect, { router_name, page, limit, search }, { keepPrevious: true })

const dates = ({ fromMs, toMs }: TimeWindow) => ({ start_date: fromMs, end_date: toMs })
/** Interval of the polls: short until the first flows arrive, then the length of a slot. */
const pollMs = (isEmpty: boolean): number => (isEmpty ? STATUS_POLL_MS * 3 : FLOWS.slotMs)

export const useWanTraffic = (router_name: string, window: TimeWindow) =>
  useQuery(
    saasApi.traffic,
    { router_name, ...dates(window) },
    { pollMs: (last) => pollMs(!last?.data.points.some(({ input, out }) => input + out > 0)) },
  )

export type FlowKind = 'apps' | 'sources'

export const useFlowChart = (kind: FlowKind, router_name: string, window: TimeWindow) =>
  useQuery(
    kind === 'apps' ? saasApi.appLog : saasApi.origScrLog,
    { router_name, ...dates(window) },
    { pollMs: (last) => pollMs(!last?.data.series.length) },
  )

export const useFlowTop = (kind: FlowKind, router_name: string, window: TimeWindow) =>
  useQuery(
    kind === 'apps' ? saasApi.appLogTop : saasApi.origScrLogTop,
    { router_name, ...dates(window) },
    { pollMs: (last) => pollMs(!last?.data.length) },
  )

export const useSetBandwidth = () => useCommand(saasApi.bandwidth, [], QUIET)

/** Address of the list; only this feature links to it. */
export const SAAS_LIST = '/saas/router'
