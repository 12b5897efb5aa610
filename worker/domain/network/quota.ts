import { NETWORK } from '../../contract/limits.ts'

/** Service level on the network list's card (network 2): 1 basic, 2 standard. Ours: by the members bought. */
export const networkLevel = (members: number): 1 | 2 => (members <= NETWORK.basicSeats ? 1 : 2)
