import type { SnapshotTarget } from '../../../worker/contract/ticket-snapshot.ts'

/** What a snapshot is taken of, as the value of a select: `router NL-1`, `network N1`; '' for none. */
export const toValue = (target: SnapshotTarget): string =>
  target.kind === 'router' ? `router ${target.router_name}` : `network ${target.network_number}`

export function toTarget(value: string): SnapshotTarget | null {
  const [kind, ...rest] = value.split(' ')
  const name = rest.join(' ')
  if (kind === 'router') return { kind, router_name: name }
  return kind === 'network' ? { kind, network_number: name } : null
}
