import type { Input, Output } from '#contract/kernel/endpoint.ts'
import { ramRoleApi } from '#contract/ram-role/index.ts'
import { ramApi } from '#contract/ram/index.ts'
import { call, QUIET } from '#lib/call/call.ts'
import { useCommand, useQuery } from '#lib/call/use-endpoint.ts'
import type { ListView } from '#ui/table/list-state.ts'

/* Hooks of the sub-account endpoints. */

export type RamRow = Output<typeof ramApi.lists>[number]
export type RamLogRow = Output<typeof ramApi.log>[number]

type View = Pick<ListView<never, never>, 'page' | 'limit' | 'search'>

/** Polling interval of the list, for its numbers of open sign-ins. */
const POLL_MS = 30_000

/** Also ends the caller's own session. */
export const changePassword = (input: Input<typeof ramApi.password>) => call(ramApi.password, input)

export const useRams = ({ page, limit, search }: View) =>
  useQuery(ramApi.lists, { page, limit, search }, { keepPrevious: true, pollMs: POLL_MS })
export const useRamQuota = () => useQuery(ramApi.quantity, {})
export const useRamDomain = () => useQuery(ramApi.domain, {})
export const useRoleOptions = () => useQuery(ramRoleApi.select, {})

export const useRamLog = (ram_id: number, { page, limit }: Pick<View, 'page' | 'limit'>, range: object) =>
  useQuery(ramApi.log, { ram_id, page, limit, ...range }, { keepPrevious: true, onMissing: 'stay' })

export const useCreateRam = () => useCommand(ramApi.create, [], QUIET)
export const useEditRam = () => useCommand(ramApi.edit, [], QUIET)
export const useDeleteRam = () => useCommand(ramApi.delete, [], QUIET)
export const useEnableRam = () => useCommand(ramApi.enable, [], { onMissing: 'stay', done: null })
export const useDisableRam = () => useCommand(ramApi.disable, [], { ...QUIET, done: null })
export const useEndRamSessions = () => useCommand(ramApi.endSessions, [], { ...QUIET, done: null })
