import type { Output } from '#contract/kernel/endpoint.ts'
import { STREAM, TRAFFIC_RANGE, type TrafficRange } from '#contract/kernel/hub-limits.ts'
import { STATUS_POLL_MS, SUBMIT_LOCK_MS } from '#contract/kernel/limits.ts'
import { DONE } from '#contract/kernel/result.ts'
import { networkApi } from '#contract/network/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { ROUTER_TYPE, type RouterType } from '#contract/router/limits.ts'
import type { RouterSort } from '#contract/router/routers.ts'
import { call, download, QUIET } from '#lib/call/call.ts'
import { useCommand, useQuery, useRefresh } from '#lib/call/use-endpoint.ts'
import { type BatchRow, toBatchRow } from '#ui/state/batch-result.tsx'
import type { ListView } from '#ui/table/list-state.ts'
import type { MemberState } from './member-states.ts'

/* Hooks of the endpoints of members (routers and software): lists, one member, traffic, edits, bulk calls. */

/** Option of commands without a dialog: a toast shows the refusal, without navigation. */
const STAY = { onMissing: 'stay' } as const

export interface RouterQuery extends Pick<ListView<never, RouterSort>, 'page' | 'limit' | 'search' | 'sort' | 'order'> {
  readonly type: RouterType
  readonly state: MemberState
}

/** Members of one kind. Earlier rows are kept per kind, so that no rows appear under columns of the other kind. */
export function useRouters({ type, ...view }: RouterQuery, isPolled: boolean) {
  const options = { keepPrevious: true, pollMs: isPolled ? STATUS_POLL_MS : 0 }
  const isHardware = type === ROUTER_TYPE.hardware
  const hardware = useQuery(routerApi.lists, isHardware ? { ...view, type: ROUTER_TYPE.hardware } : null, options)
  const software = useQuery(routerApi.lists, isHardware ? null : { ...view, type: ROUTER_TYPE.software }, options)
  return isHardware ? hardware : software
}

export const useRouterQuantity = (isPolled: boolean) =>
  useQuery(routerApi.quantity, {}, { pollMs: isPolled ? STATUS_POLL_MS : 0 })

const LATENCY_POLL_MS = 60_000 // no live frame reports a changed latency

export const useRouterInfo = (routerName: string, isPolled = false) =>
  useQuery(routerApi.info, { router_name: routerName }, { pollMs: isPolled ? STATUS_POLL_MS : LATENCY_POLL_MS })

/** Read anew, for a form. */
export const useFreshRouterInfo = (routerName: string) =>
  useQuery(routerApi.info, { router_name: routerName }, { isFresh: true })

export function useRouterPaths(routerNames: readonly string[], isPolled: boolean) {
  const { data } = useQuery(routerApi.paths, routerNames.length === 0 ? null : { router_name: routerNames.join() }, {
    pollMs: isPolled ? STATUS_POLL_MS : 0,
  })
  return data?.data
}

/** Last rates, polled while the socket is down. */
export const useLastTraffic = (routerName: string, isAsked: boolean) =>
  useQuery(routerApi.traffic, isAsked ? { router_name: routerName } : null, { pollMs: STATUS_POLL_MS })

/** Stored rates of a range, up to now or around a time; a null range sends no request. */
export const useTrafficSeries = (routerName: string, range: TrafficRange | null, at: number | null) =>
  useQuery(routerApi.series, range === null ? null : { router_name: routerName, range, ...(at !== null && { at }) }, {
    pollMs: range === null ? 0 : Math.min(TRAFFIC_RANGE[range].stepMs, STREAM.summaryMs),
  })

export const useNetworkOptions = () =>
  (useQuery(networkApi.select, {}).data?.data ?? []).map((row) => ({
    value: row.network_number,
    label: row.network_name,
  }))

export const useAddRouter = () => useCommand(routerApi.add, [], QUIET)
/** Claims one device of many; the caller shows the result, and reads again after the last one. */
export const claimDevice = ({
  serial,
  ...rest
}: {
  readonly serial: string
  readonly code: string
  readonly note: string
  readonly network_number: string
}) => call(routerApi.add, { router_type: ROUTER_TYPE.hardware, username: serial, ...rest }, QUIET)
export const useRefreshClaimed = () =>
  useRefresh([routerApi.lists, routerApi.quantity, routerApi.member, networkApi.lists, networkApi.info])
export const useEditEndpoints = () => useCommand(routerApi.endpoints, [], QUIET)
export const useReplaceRouter = () => useCommand(routerApi.replace, [], QUIET)
/** Options of bulk calls; the list shows the result of each member. */
const BULK = { ...QUIET, done: null } as const
export const useSaveNotes = () => useCommand(routerApi.batchNote, [], BULK)
export const useResendToRouters = () => useCommand(routerApi.batchResend, [], BULK)
export const useAddToNetwork = () => useCommand(networkApi.batchAddMember, [], BULK)
export const toBulkRows = ({ data }: { data: Output<typeof routerApi.batchResend> }): readonly BatchRow[] =>
  data.result.map(({ router_name, ok, msg }) => toBatchRow(router_name, ok, msg))
export const useDeleteRouter = () => useCommand(routerApi.delete, [], QUIET)
/** The page shows the number of deleted members, and those that stayed. */
export const useDeleteRouters = () => useCommand(routerApi.batchDelete, [], { ...QUIET, done: null })
/** Options of uploads: a file takes longer than other calls, and its dialog shows the result of each row. */
const UPLOAD = { ...QUIET, done: null, timeoutMs: SUBMIT_LOCK_MS } as const
export const useBatchAdd = () => useCommand(routerApi.batch, [], UPLOAD)
export const useBatchDeleteFile = () => useCommand(routerApi.batchDeleteFile, [], UPLOAD)
/** Downloads a file; a toast shows the reason if there is none. */
const save = (spec: Parameters<typeof download>[0]) =>
  void download(spec, {}, { ...STAY, timeoutMs: SUBMIT_LOCK_MS }).catch(() => {})
export const saveAddTemplate = () => save(routerApi.softwareTemplate)
export const saveDeleteTemplate = () => save(routerApi.softwareDeleteTemplate)
export const saveExport = () => save(routerApi.export)
export const useResend = () => useCommand(routerApi.resend, [], STAY)
/** Disables or enables a member; the page says which. */
export const useUpdateStatus = () =>
  useCommand(routerApi.updateStatus, [routerApi.lists, routerApi.info], { ...QUIET, done: null })
/** The reply confirms only that the device was asked; refresh its info a moment later. */
export const useRequestReport = () => useCommand(routerApi.updateStatus, [], { ...STAY, done: DONE.asked })

export const useRefreshRouters = () => ({
  counts: useRefresh([routerApi.quantity, routerApi.paths]),
  lists: useRefresh([routerApi.lists, routerApi.quantity, routerApi.paths]),
  info: useRefresh([routerApi.info]),
})
