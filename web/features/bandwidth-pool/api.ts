import { addressApi } from '#contract/address/index.ts'
import { bandwidthPoolApi } from '#contract/bandwidth-pool/index.ts'
import type { Output } from '#contract/kernel/endpoint.ts'
import { isAllowed } from '#contract/kernel/permissions.ts'
import { useCommand, useQuery } from '#lib/call/use-endpoint.ts'
import { useGrants } from '#lib/session/session.ts'
import type { ListView } from '#ui/table/list-state.ts'

/* Hooks of the endpoints of bandwidth pools, and the addresses of their pages. */

export type PoolRow = Output<typeof bandwidthPoolApi.lists>[number]
export type PoolDevice = Output<typeof bandwidthPoolApi.router>[number]

type View = Pick<ListView<never, never>, 'page' | 'limit' | 'search'>

export const useMayEdit = () => isAllowed(bandwidthPoolApi.bandwidth.access, useGrants())

export const usePools = ({ page, limit, search }: View) =>
  useQuery(bandwidthPoolApi.lists, { page, limit, search }, { keepPrevious: true })

export const usePool = (id: number) => useQuery(bandwidthPoolApi.info, { id })

export const usePoolDevices = (pool_id: number, { page, limit, search }: View, country: string) =>
  useQuery(bandwidthPoolApi.router, { pool_id, page, limit, search, country }, { keepPrevious: true })

export const useExitCountries = (pool_id: number) => useQuery(addressApi.country, { pool_id })

export const useSetPoolBandwidth = () => useCommand(bandwidthPoolApi.bandwidth, [], { quiet: true })

/** Addresses of the pages; only this feature links to them. */
export const POOL_LIST = '/saas/bandwidth_pool'
export const poolDetail = (id: number): string => `/saas/bandwidth_pool_detail?id=${id}`
