import { type Violation, violation } from '#contract/kernel/result.ts'
import { freeHosts } from '../addresses/hosts.ts'
import { type Quota, checkJoin } from './membership.ts'
import type { readPlaces } from '../addresses/free-hosts.ts'
import type { RouterType } from '#contract/router/limits.ts'

interface Candidate {
  readonly name: string
  readonly type: RouterType
}

/** New members of a network as points, in their order and as many as may join; `refused` says why the next one may not. */
export function planPoints(
  network: { readonly status: number },
  { hosts, ranges, preferred }: ReturnType<typeof readPlaces>,
  quota: Quota,
  candidates: readonly Candidate[],
) {
  const used = new Set(hosts)
  const spare = { 1: freeHosts(1, used, ranges, preferred), 2: freeHosts(2, used, ranges, preferred) }
  const points: { readonly name: string; readonly host: number }[] = []
  const end = (refused: Violation | null) => ({ points, refused })
  for (const { name, type } of candidates) {
    const refused = checkJoin(network, hosts.length, quota, points.length + 1)
    if (refused) return end(refused)
    const host = spare[type].next().value
    if (host === undefined) return end(violation('SEGMENTS_USED_UP'))
    used.add(host)
    points.push({ name, host })
  }
  return end(null)
}
