import type { DocumentLink, DocumentNetwork } from '#contract/device/document.ts'
import type { MovedDocument } from './impact.ts'

export type LinkEffect = 'reconnects' | 'opens' | 'closes'

/** Effect of a change on one link. */
export interface MovedLink {
  readonly id: string
  readonly client: string
  readonly server: string
  readonly effect: LinkEffect
}

/** Links that a change opens, closes or sets up anew, each once. @param nameOf the router of a document. */
export function linkImpact(
  moved: readonly MovedDocument[],
  nameOf: (routerId: number) => string,
): readonly MovedLink[] {
  const found = new Map<string, MovedLink>()
  for (const { routerId, before, after } of moved) {
    const [old, now] = [byId(before), byId(after)]
    for (const id of new Set([...old.keys(), ...now.keys()])) {
      const [was, is] = [old.get(id), now.get(id)]
      const link = is ?? was
      const effect = effectOf(before, after, was, is)
      if (!link || !effect || found.has(id)) continue
      const [own, isClient] = [nameOf(routerId), link.role === 'client']
      found.set(id, { id, client: isClient ? own : link.peer, server: isClient ? link.peer : own, effect })
    }
  }
  return [...found.values()]
}

const byId = (network: DocumentNetwork | null): ReadonlyMap<string, DocumentLink> =>
  new Map(network?.links.map((link) => [link.id, link]))

function effectOf(
  before: DocumentNetwork | null,
  after: DocumentNetwork | null,
  was: DocumentLink | undefined,
  is: DocumentLink | undefined,
): LinkEffect | null {
  if (!before || !after || !was || !is) return is ? 'opens' : 'closes'
  return tunnelText(before, was) === tunnelText(after, is) ? null : 'reconnects'
}

/** Fingerprint of a link's tunnel. Routes and preferences are excluded: they change without a restart. */
function tunnelText({ ciphers, servers }: DocumentNetwork, link: DocumentLink): string {
  const { kind, carrier, role, remotes, port, local_ip, remote_ip, mask } = link
  const answers = role === 'server' && port === null ? servers.find(({ service }) => service === 'router') : undefined
  return JSON.stringify([ciphers, kind, carrier, remotes, port ?? answers?.port, local_ip, remote_ip, mask])
}
