import { NETWORK } from '../../contract/limits.ts'

/** Service level on the network list's card (network 2): 1 basic, 2 standard. Ours: by the seats bought. */
export const networkLevel = (seats: number): 1 | 2 => (seats <= NETWORK.basicSeats ? 1 : 2)
