import type { Input, Output } from '#contract/kernel/endpoint.ts'
import { STATUS_POLL_MS } from '#contract/kernel/limits.ts'
import { RESULT } from '#contract/kernel/result.ts'
import { networkFrApi } from '#contract/network-fr/index.ts'
import { networkApi } from '#contract/network/index.ts'
import type { NetworkSort, NetworkState } from '#contract/network/networks.ts'
import { routerApi } from '#contract/router/index.ts'
import { OPEN_STATUSES } from '#domain/network/pop/tickets.ts'
import { ApiError, QUIET, call } from '#lib/call/call.ts'
import { useCommand, useQuery, useRefresh } from '#lib/call/use-endpoint.ts'
import type { ListView } from '#ui/table/list-state.ts'

/* Hooks of the endpoints of networks: settings, members, versions, jobs, POP resources and order tickets. */

/** Option of reads by dialogs that edit: a colleague may have saved since the dialog was last open. */
const FRESH = { isFresh: true } as const

type NetworkQuery = Pick<ListView<never, NetworkSort>, 'page' | 'limit' | 'search' | 'sort' | 'order'> & {
  readonly state: NetworkState | ''
}

export const useNetworks = ({ page, limit, search, state, sort, order }: NetworkQuery, isPolled: boolean) =>
  useQuery(
    networkApi.lists,
    { page, limit, search, state, sort, order },
    { keepPrevious: true, pollMs: isPolled ? STATUS_POLL_MS : 0 },
  )

export const useRefreshNetworks = () => useRefresh([networkApi.lists])

/** Numbers and names of all networks of the role. */
export const useNetworkOptions = () => useQuery(networkApi.select, {})

export const useNetworkQuota = () => useQuery(networkApi.config, {})

/** Network by its number; null sends no request. */
export const useNetworkInfo = (networkNumber: string | null) =>
  useQuery(networkApi.info, networkNumber === null ? null : { network_number: networkNumber })

/** Polls the states of members and links; null stops the polling. */
export const useNetworkStatus = (networkNumber: string | null) =>
  useQuery(networkApi.status, networkNumber === null ? null : { network_number: networkNumber }, {
    pollMs: STATUS_POLL_MS,
  })

export type Candidates = Output<typeof routerApi.member>
type CandidateView = Input<typeof routerApi.member>

/** One page of members that may be chosen; null sends no request. */
export const useCandidates = (view: CandidateView | null) => useQuery(routerApi.member, view, { keepPrevious: true })

/** The same, once. */
export const readCandidates = (view: CandidateView) => call(routerApi.member, view)

/** Members by name, and all members of networks; nothing is sent without either. */
export const useChoices = (router_name: readonly string[], network_number: readonly string[]) =>
  useQuery(
    routerApi.choices,
    router_name.length + network_number.length === 0
      ? null
      : { router_name: [...router_name], network_number: [...network_number] },
    { keepPrevious: true },
  )

/** The same by name, once. */
export const readChoices = (router_name: readonly string[]): Promise<Candidates> =>
  call(routerApi.choices, { router_name: [...router_name] }, QUIET).then(
    ({ data }) => data,
    (error: unknown) => {
      if (isMissing(error)) return { router: [], app: [] }
      throw error
    },
  )

export const isMissing = (error: unknown): boolean => error instanceof ApiError && error.code === RESULT.notFound

export const useRefreshCandidates = () => useRefresh([routerApi.member, routerApi.choices])

export const useMemberInfo = (router_name: string) => useQuery(routerApi.info, { router_name }, FRESH)

export const useCreateNetwork = () => useCommand(networkApi.create, [], QUIET)
export const useEditNetwork = () => useCommand(networkApi.edit, [], QUIET)
export const useRenameNetwork = () => useCommand(networkApi.name, [], QUIET)
export const useDeleteNetwork = () => useCommand(networkApi.delete, [], QUIET)
export const useRemoveMember = () => useCommand(networkApi.removeMember, [], QUIET)
export const useEditCiphers = () => useCommand(networkApi.ciphers, [], QUIET)

export const useEditFixedPorts = () => useCommand(networkApi.fixedPort, [], QUIET)
export const useEditCenterGateway = () => useCommand(networkApi.editCenterGateway, [], QUIET)
export const useIpConfig = (networkNumber: string) =>
  useQuery(networkApi.ipAddressPool, { network_number: networkNumber }, FRESH)
export type IpConfig = Output<typeof networkApi.ipAddressPool>
export const useEditIpConfig = () => useCommand(networkApi.editIpAddressPool, [], QUIET)
export const useEditDns = () => useCommand(networkApi.dns, [], QUIET)
export const useEditPrefix = () => useCommand(networkApi.editPrefix, [], QUIET)
export const useEditRouting = () => useCommand(networkApi.editRouting, [], QUIET)
export const useEditDefaultRoute = () => useCommand(networkApi.defaultRoute, [], QUIET)
export const useEditQuagga = () => useCommand(networkApi.quagga, [], QUIET)
export const useEnableQuagga = () => useCommand(networkApi.quaggaEnable, [], QUIET)
export const useDisableQuagga = () => useCommand(networkApi.quaggaDisable, [], QUIET)
export const useEditSoftwareMode = () => useCommand(networkApi.softwareMode, [], QUIET)

export const usePrefixRows = (networkNumber: string) =>
  useQuery(networkApi.prefix, { network_number: networkNumber }, FRESH)
export const useRouting = (networkNumber: string) =>
  useQuery(networkApi.routing, { network_number: networkNumber }, FRESH)
export const useCenterLink = (networkNumber: string) =>
  useQuery(networkApi.centerLinkNetwork, { network_number: networkNumber }, FRESH)
export const usePointLink = (input: Input<typeof networkApi.pointLink>) => useQuery(networkApi.pointLink, input, FRESH)
export const useEditCenterLink = () => useCommand(networkApi.centerLink, [], QUIET)
export const useEditCenterLinkGateway = () => useCommand(networkApi.editCenterLinkGateway, [], QUIET)
export const useEnableCenterLink = () => useCommand(networkApi.enableCenterLink, [], QUIET)
export const useEditPointLink = () => useCommand(networkApi.editPointLink, [], QUIET)

/** Devices that do not support these ciphers; null sends no request. */
export const useUnsupported = (input: Input<typeof networkApi.unsupported> | null) =>
  useQuery(networkApi.unsupported, input)

/** Pushes the configuration again to all members; the confirmation shows the refusal. */
export const useResendToAll = () => useCommand(networkApi.reSendConfig, [], QUIET)
/** Resends the configuration to one member; a toast shows the refusal, and a notice the result. */
export const useResendToMember = () => useCommand(networkApi.reSendConfig, [], { onMissing: 'stay', done: null })
export const useKillUser = () => useCommand(networkApi.killUser, [], { ...QUIET, done: null })
export const useResetRespawn = () => useCommand(networkApi.resetRespawn, [], { ...QUIET, done: null })
export type Job = Output<typeof networkApi.job>
/** @param toPollMs returns the time until the next poll, from the last answer. */
export const useJob = (
  input: Input<typeof networkApi.job>,
  toPollMs: (last: { readonly data: Job } | undefined) => number,
) => useQuery(networkApi.job, input, { pollMs: toPollMs })

export type NetworkVersion = Output<typeof networkApi.versions>[number]
export const useVersions = (network_number: string) => useQuery(networkApi.versions, { network_number })
export const useNetworkEvents = (network_number: string, at: number) =>
  useQuery(networkApi.events, { network_number, at })
/** Restores a version; the caller shows the result. */
export const useRestore = () => useCommand(networkApi.restore, [], { ...QUIET, done: null })

/** Impact of a call before it is sent; null sends no request. */
export const useImpact = (input: Input<typeof networkApi.impact> | null) => useQuery(networkApi.impact, input)

/** The same, once; null if it cannot be computed. */
export const readImpact = (input: Input<typeof networkApi.impact>) =>
  call(networkApi.impact, input, QUIET).then(
    ({ data }) => data,
    () => null,
  )

/** Optimistic lock failed: the network was saved by another user since it was read. */
export const isOutdatedPlan = (error: unknown): boolean =>
  error instanceof ApiError && error.reason === 'NETWORK_CHANGED'

export const useTickets = (query: Input<typeof networkApi.ticketLists>) =>
  useQuery(networkApi.ticketLists, query, { keepPrevious: true })

/** Order of a network that is neither completed nor cancelled; undefined without one, or if it cannot be read. */
export async function findOpenTicket(network_number: string) {
  const found = await call(networkApi.ticketLists, { search: network_number }, QUIET).catch(() => null)
  return found?.data.find(
    (ticket) => ticket.network_number === network_number && OPEN_STATUSES.includes(ticket.network_ticket_status),
  )
}

export const useTicket = (network_ticket_number: string) => useQuery(networkApi.ticketView, { network_ticket_number })
export const useTicketConfig = (network_number: string) => useQuery(networkApi.ticketConfig, { network_number })

export const useCreateTicket = () => useCommand(networkApi.ticket, [], QUIET)
export const useCancelTicket = () => useCommand(networkApi.ticketCancel, [], QUIET)
export const useDeleteTicket = () => useCommand(networkApi.ticketDelete, [], QUIET)

export const useFrs = ({ page, limit, search }: Input<typeof networkFrApi.lists>) =>
  useQuery(networkFrApi.lists, { page, limit, search }, { keepPrevious: true })

export const useAreas = (network_number: string) => useQuery(networkFrApi.ov, { network_number })
export const useEditMemberAreas = () => useCommand(networkApi.memberOv, [], QUIET)
export const useFrConfig = (network_number: string) => useQuery(networkFrApi.config, { network_number })
export const useChooseFr = () => useCommand(networkApi.fr, [], QUIET)
export const useEditAreas = () => useCommand(networkApi.memberOv, [], { ...QUIET, done: null })
/** Renames a network without a toast: the form makes two calls and reports the save itself. */
export const useRenameSilently = () => useCommand(networkApi.name, [], { ...QUIET, done: null })
