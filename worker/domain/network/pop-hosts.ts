import { type Violation, violation } from '../../contract/result.ts'
import { ROUTER_TYPE } from '../../contract/limits.ts'
import { nodeSegments, nodesOf } from './compile/pop-segments.ts'
import { hasHost } from './compile/segments-of.ts'
import type { NetworkRows } from './compile/rows.ts'

/** Nodes share the segments that were chosen for POP: each part has to hold the members that dial its node. */
export function checkPopHosts(network: NetworkRows): Violation | null {
  const { popNodes = [], members } = network
  const outside = members.find((member) => {
    const service = member.routerType === ROUTER_TYPE.software ? 'software' : 'router'
    return nodesOf(network, member).some((node) => !hasHost(nodeSegments(network, node)[service], member.host))
  })
  return outside ? violation('POP_POOL_TOO_SMALL', { nodes: popNodes.length, name: outside.routerName }) : null
}
