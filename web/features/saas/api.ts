import { isAllowed } from '../../../worker/contract/permissions.ts'
import { FLOWS } from '../../../worker/contract/hub-limits.ts'
import { STATUS_POLL_MS } from '../../../worker/contract/limits.ts'
import { routerApi } from '../../../worker/contract/router.ts'
import { saasApi } from '../../../worker/contract/saas.ts'
import { useGrants } from '../../lib/session.ts'
import { useCommand, useQuery } from '../../lib/use-endpoint.ts'
import type { ListView } from '../../ui/list-state.ts'
import type { TimeWindow } from '../../ui/time-window.tsx'

const QUIET = { quiet: true } as const

export const useMayEdit = () => isAllowed(saasApi.bandwidth.access, useGrants())

export const useSaasDevices = (search: string) =>
  useQuery(saasApi.router, { search }, { keepPrevious: true, pollMs: STATUS_POLL_MS })

export const useSaasInfo = (router_name: string) => useQuery(saasApi.info, { router_name }, { pollMs: STATUS_POLL_MS })

export const usePresences = (
  router_name: string,
  { page, limit, search }: Pick<ListView<never, never>, 'page' | 'limit' | 'search'>,
) => useQuery(saasApi.connect, { router_name, page, limit, search }, { keepPrevious: true })

const dates = ({ fromMs, toMs }: TimeWindow) => ({ start_date: fromMs, end_date: toMs })
const POLL = { pollMs: FLOWS.slotMs } as const

export const useWanTraffic = (router_name: string, window: TimeWindow) =>
  useQuery(saasApi.traffic, { router_name, ...dates(window) }, POLL)

export type FlowKind = 'apps' | 'sources'

export const useFlowChart = (kind: FlowKind, router_name: string, window: TimeWindow) =>
  useQuery(kind === 'apps' ? saasApi.appLog : saasApi.origScrLog, { router_name, ...dates(window) }, POLL)

export const useFlowTop = (kind: FlowKind, router_name: string, window: TimeWindow) =>
  useQuery(kind === 'apps' ? saasApi.appLogTop : saasApi.origScrLogTop, { router_name, ...dates(window) }, POLL)

export const useSetBandwidth = () => useCommand(saasApi.bandwidth, [], QUIET)
export const useSetNote = () => useCommand(routerApi.note, [saasApi.router, saasApi.info], QUIET)
