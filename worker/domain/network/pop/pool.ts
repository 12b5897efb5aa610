import * as z from 'zod'
import { sizeOfMask } from '#contract/kernel/ipv4.ts'
import { type Violation, violation } from '#contract/kernel/result.ts'
import { NETWORK_SETTINGS, type NetworkSettings } from '#contract/network/settings.ts'
import { maskOf, toPart, hasPlace, nodesOf } from '../compile/server-segments.ts'
import { type Range, defaultSegments } from '../addresses/segments.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { HOSTS, type HostRanges } from '../addresses/hosts.ts'
import type { DocumentMember, NetworkRows, PopNode } from '../compile/rows.ts'

/* Segments of a network's POP nodes (IP地址池), and the hosts that fit into them. */

type IpPool = NetworkSettings['ip_pool']

/** Subnet indexes of a network's nodes, and the segments chosen instead of their default ones. */
interface PopPool {
  readonly indexes: readonly number[]
  readonly ipPool: IpPool
}

const stored = z.object({ indexes: z.array(z.int()), ip_pool: z.unknown().optional() })

/** Parses the JSON of selectNetworkSegments. */
export function parsePopPool(json: string): PopPool {
  const { indexes, ip_pool: pool } = stored.parse(JSON.parse(json))
  return { indexes, ipPool: NETWORK_SETTINGS.ip_pool.parse(pool ?? undefined) }
}

/** Default segments of nodes, for services without a chosen segment. */
export function defaultNodeSegments({ indexes, ipPool }: PopPool) {
  const segments = indexes.map(defaultSegments)
  return [
    ...(ipPool.pop ? [] : segments).map(({ hardware: segment }) => ({
      name: 'POP节点的硬件网段',
      field: 'pop',
      segment,
    })),
    ...(ipPool.pop_software ? [] : segments).map(({ software: segment }) => ({
      name: 'POP节点的软件网段',
      field: 'pop_software',
      segment,
    })),
  ]
}

/** Hosts that fit at every node. Nodes share a chosen segment in equal parts. */
export function nodeHosts({ pop, pop_software: apps }: IpPool, nodes: number): HostRanges {
  const rangeOf = (chosen: IpPool['pop']): Range =>
    chosen === null || nodes === 0
      ? HOSTS
      : { first: HOSTS.first, last: Math.min(HOSTS.last, sizeOfMask(maskOf(toPart(chosen, 0, nodes))) - 2) }
  return { [ROUTER_TYPE.hardware]: rangeOf(pop), [ROUTER_TYPE.software]: rangeOf(apps) }
}

/**
 * Nodes share the segments chosen for POP: each part must hold the members that dial its node.
 * A member that had no address before (after a completed order) blocks no other change.
 */
export function checkPopHosts(before: NetworkRows, after: NetworkRows): Violation | null {
  const known = new Set(withoutPlace(before).map(toKey))
  const outside = withoutPlace(after).find((pair) => !known.has(toKey(pair)))
  if (!outside) return null
  return violation('POP_POOL_TOO_SMALL', { nodes: after.popNodes?.length ?? 0, name: outside.member.routerName })
}

interface Pair {
  readonly member: DocumentMember
  readonly node: PopNode
}

const toKey = ({ member, node }: Pair): string => `${member.routerId} ${node.routerId}`

const withoutPlace = (network: NetworkRows): readonly Pair[] =>
  network.members.flatMap((member) =>
    nodesOf(network, member)
      .filter((node) => !hasPlace(network, member, node))
      .map((node) => ({ member, node })),
  )
