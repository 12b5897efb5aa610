import type { Input, Output } from '#contract/kernel/endpoint.ts'
import { logsApi } from '#contract/logs/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { QUIET } from '#lib/call/call.ts'
import { useCommand, useQuery } from '#lib/call/use-endpoint.ts'
import type { ListView } from '#ui/table/list-state.ts'

/* Hooks of the records and profiles of a software member, which only its dialogs and drawer load. */

type RecordView = Pick<ListView, 'page' | 'limit' | 'search'>
type SentRange = Pick<Input<typeof routerApi.usage>, 'start_time' | 'end_time'>
export type LoginRecord = Output<typeof logsApi.softwareLogin>[number]
export type DialRecord = Output<typeof logsApi.online>[number]
export type DialMode = NonNullable<Input<typeof logsApi.online>['mode']>

export const useMemberLogins = (router_name: string, { page, limit, search }: RecordView, range: SentRange) =>
  useQuery(logsApi.softwareLogin, { router_name, page, limit, search, ...range }, { keepPrevious: true })

export const useMemberDials = (
  router_name: string,
  mode: DialMode,
  { page, limit, search }: RecordView,
  range: SentRange,
) => useQuery(logsApi.online, { router_name, mode, page, limit, search, ...range }, { keepPrevious: true })

export type UsageRow = Output<typeof routerApi.usage>[number]

export const useMemberUsage = (router_name: string, { page, limit, search }: RecordView, range: SentRange) =>
  useQuery(routerApi.usage, { router_name, page, limit, search, ...range }, { keepPrevious: true })

export type ProfileRow = Output<typeof routerApi.profiles>[number]

export const useMemberProfiles = (router_name: string) => useQuery(routerApi.profiles, { router_name })
export const useRevokeProfile = () => useCommand(routerApi.revokeProfile, [], QUIET)
