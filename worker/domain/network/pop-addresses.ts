import { nodeSegments } from './compile/pop-segments.ts'
import { hasHost } from './compile/segments-of.ts'
import { hostAddress } from './segments.ts'

/** Inner addresses of a member and the POP node that it dials, as compile/pop.ts gives them; empty where its host has no place. */
export function popAddresses(
  client: { readonly host: number },
  node: Parameters<typeof nodeSegments>[1],
  network: Parameters<typeof nodeSegments>[0],
): { readonly client: string; readonly server: string } {
  const { router } = nodeSegments(network, node)
  return {
    client: hasHost(router, client.host) ? hostAddress(router, client.host) : '',
    server: hostAddress(router, 1),
  }
}
