import { useQuery } from './use-endpoint.ts'
import { networkApi } from '#contract/network/index.ts'

/** Effective routes of one member of a network; `search` is an address, or a part of a prefix or a name. */
export const useEffectiveRoutes = (network_number: string, router_name: string, search: string) =>
  useQuery(networkApi.routes, { network_number, router_name, search }, { keepPrevious: true })
