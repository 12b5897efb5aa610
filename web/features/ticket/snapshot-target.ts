import type { SnapshotTarget } from '#contract/ticket/snapshot.ts'

const NOUN = { router: '成员', network: '组网' } as const

/** Serial number, login name or number, by which lists find it. */
export const nameOf = (target: SnapshotTarget): string =>
  target.kind === 'router' ? target.router_name : target.network_number

/** Target of a snapshot, as the value of a select: `router NL-1`, `network N1`; '' for none. */
export const toValue = (target: SnapshotTarget): string => `${target.kind} ${nameOf(target)}`
export const toLabel = ({ kind }: SnapshotTarget, name: string): string => `${NOUN[kind]}：${name}`

export function toTarget(value: string): SnapshotTarget | null {
  const [kind, ...rest] = value.split(' ')
  const name = rest.join(' ')
  if (kind === 'router') return { kind, router_name: name }
  return kind === 'network' ? { kind, network_number: name } : null
}

/** The member or network that an address names (`paths.ticketAbout`). */
export function targetOf(query: URLSearchParams): SnapshotTarget | null {
  const [router_name, network_number] = [query.get('router_name'), query.get('network_number')]
  if (router_name) return { kind: 'router', router_name }
  return network_number ? { kind: 'network', network_number } : null
}
