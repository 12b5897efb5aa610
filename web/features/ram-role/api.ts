import type { Output } from '#contract/kernel/endpoint.ts'
import { networkApi } from '#contract/network/index.ts'
import { ramRoleApi } from '#contract/ram-role/index.ts'
import { QUIET } from '#lib/call/call.ts'
import { useCommand, useQuery } from '#lib/call/use-endpoint.ts'
import type { ListView } from '#ui/table/list-state.ts'

/* Hooks of the endpoints of roles of sub-accounts. */

export type RoleRow = Output<typeof ramRoleApi.lists>[number]

export const useRoles = ({ page, limit, search }: Pick<ListView<never, never>, 'page' | 'limit' | 'search'>) =>
  useQuery(ramRoleApi.lists, { page, limit, search }, { keepPrevious: true })
export const useNetworkOptions = () => useQuery(networkApi.select, {})

export const useCreateRole = () => useCommand(ramRoleApi.create, [], QUIET)
export const useEditRole = () => useCommand(ramRoleApi.edit, [], QUIET)
export const useDeleteRole = () => useCommand(ramRoleApi.delete, [], QUIET)
