import { nodeSegments } from '../compile/pop-segments.ts'
import { hasHost } from '../compile/service-segments.ts'
import { hostAddress } from '../addresses/segments.ts'

type Network = Parameters<typeof nodeSegments>[0]
type Node = Parameters<typeof nodeSegments>[1]

/** Returns a predicate: the member has an address in the node's hardware segment. */
export function placesAt(
  members: readonly { readonly routerId: number; readonly host: number }[],
  nodes: readonly (Node & { readonly routerName: string })[],
  settings: Network['settings'],
): (routerId: number, nodeName: string) => boolean {
  const hosts = new Map(members.map(({ routerId, host }) => [routerId, host]))
  const segments = new Map(
    nodes.map((node) => [node.routerName, nodeSegments({ popNodes: nodes, settings }, node).router]),
  )
  return (routerId, nodeName) => {
    const [host, segment] = [hosts.get(routerId), segments.get(nodeName)]
    return host !== undefined && segment !== undefined && hasHost(segment, host)
  }
}

/** Inner addresses of a member and the POP node that it dials, as compile/pop.ts gives them; empty where its host has no place. */
export function popAddresses(
  client: { readonly host: number },
  node: Node,
  network: Network,
): { readonly client: string; readonly server: string } {
  const { router } = nodeSegments(network, node)
  return {
    client: hasHost(router, client.host) ? hostAddress(router, client.host) : '',
    server: hostAddress(router, 1),
  }
}
