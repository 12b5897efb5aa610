import * as z from 'zod'
import { ipNumber } from '#contract/kernel/ipv4.ts'

/* Routes that bgpd has chosen, whether zebra and the kernel have them or not. */

export interface ChosenRoute {
  readonly prefix: string
  /** Address of the peer that announces it. One that shares its load over peers stands once for each. */
  readonly peer: string
}

export const CHOSEN_ROUTES = 'show bgp ipv4 unicast json'

const path = z.looseObject({
  valid: z.boolean().optional(),
  bestpath: z.boolean().optional(),
  multipath: z.boolean().optional(),
  peerId: z.string().default(''), // no address for a route of the device itself
})
const table = z.looseObject({ routes: z.record(z.string(), z.array(path)).optional() })

/** Routes of peers in the answer to CHOSEN_ROUTES. */
export function parseChosen(text: string): readonly ChosenRoute[] {
  const { routes = {} } = table.parse(JSON.parse(text.trim() || '{}'))
  return Object.entries(routes).flatMap(([prefix, paths]) =>
    paths
      .filter(({ valid, bestpath, multipath, peerId }) => valid && (bestpath || multipath) && ipNumber(peerId) !== null)
      .map(({ peerId }) => ({ prefix, peer: peerId })),
  )
}
