import { NETWORK, NETWORK_STATUS } from '../../contract/limits.ts'

/** Service level on the network list's card (network 2): 1 basic, 2 standard. Ours: by the members bought. */
export const networkLevel = (members: number): 1 | 2 => (members <= NETWORK.basicSeats ? 1 : 2)

/** Over quota: its members may only be removed, and its configuration stays as it is (network 2). */
export const isSuspended = (network: { readonly status: number }): boolean =>
  network.status === NETWORK_STATUS.overQuota
