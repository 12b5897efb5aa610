import type { Output } from '../../../worker/contract/endpoint.ts'
import { networkApi } from '../../../worker/contract/network.ts'
import { useCommand, useQuery } from '../../lib/use-endpoint.ts'

/** Dialogs show the refusal themselves. */
const QUIET = { quiet: true } as const

export const useEditFixedPorts = () => useCommand(networkApi.fixedPort, [], QUIET)
export const useEditCenterGateway = () => useCommand(networkApi.editCenterGateway, [], QUIET)
export const useIpConfig = (networkNumber: string) =>
  useQuery(networkApi.ipAddressPool, { network_number: networkNumber })
export const useEditIpConfig = () => useCommand(networkApi.editIpAddressPool, [], QUIET)
export type IpConfig = Output<typeof networkApi.ipAddressPool>
