import { ERRORS } from '../../../worker/contract/errors.ts'
import { STATUS_POLL_MS } from '../../../worker/contract/limits.ts'
import { networkApi } from '../../../worker/contract/network.ts'
import { routerApi } from '../../../worker/contract/router.ts'
import { ApiError } from '../../lib/transport.ts'
import { useCommand, useQuery } from '../../lib/use-endpoint.ts'
import type { ListView } from '../../ui/list-state.ts'

/** Pages show an error state of their own, dialogs show the refusal themselves. */
const QUIET = { quiet: true } as const

/** Reads that name networks. */
const NAMES = [networkApi.lists, networkApi.info, networkApi.select, routerApi.info, routerApi.member]
/** Reads that depend on who is in which network. */
const MEMBERSHIP = [
  networkApi.lists,
  networkApi.info,
  networkApi.config,
  networkApi.status,
  routerApi.lists,
  routerApi.info,
  routerApi.member,
]
const PLAN = [...MEMBERSHIP, networkApi.select]
/** Without the network itself, which answers 204 from now on. */
const AFTER_DELETE = PLAN.filter((spec) => spec !== networkApi.info && spec !== networkApi.status)

export const useNetworks = ({ page, search }: Pick<ListView, 'page' | 'search'>) =>
  useQuery(networkApi.lists, { page, search }, { ...QUIET, keepPrevious: true })

export const useNetworkQuota = () => useQuery(networkApi.config, {}, QUIET)

/** Null waits. */
export const useNetworkInfo = (networkNumber: string | null) =>
  useQuery(networkApi.info, networkNumber === null ? null : { network_number: networkNumber }, QUIET)

/** Polls the states of members and links; null stops. */
export const useNetworkStatus = (networkNumber: string | null) =>
  useQuery(networkApi.status, networkNumber === null ? null : { network_number: networkNumber }, {
    ...QUIET,
    pollMs: STATUS_POLL_MS,
  })

/** Members that may be chosen for a network. */
export const useMemberCandidates = () => useQuery(routerApi.member, {}, QUIET)

export const useCreateNetwork = () => useCommand(networkApi.create, PLAN, QUIET)
export const useEditNetwork = () => useCommand(networkApi.edit, PLAN, QUIET)
export const useRenameNetwork = () => useCommand(networkApi.name, NAMES, QUIET)
export const useDeleteNetwork = () => useCommand(networkApi.delete, AFTER_DELETE, QUIET)
export const useAddMember = () => useCommand(networkApi.addMember, MEMBERSHIP, QUIET)
export const useRemoveMember = () => useCommand(networkApi.removeMember, MEMBERSHIP, QUIET)

/** Pushes the configuration again to all members; the confirmation shows the refusal. */
export const useResendToAll = () => useCommand(networkApi.reSendConfig, [], QUIET)
/** The same to one member; a toast shows the refusal. */
export const useResendToMember = () => useCommand(networkApi.reSendConfig, [], { onMissing: 'stay' })

/** Somebody else saved the network first: the plan was made from an older revision. */
export const isOutdatedPlan = (error: unknown): boolean =>
  error instanceof ApiError && error.msg === ERRORS.NETWORK_CHANGED.msg
