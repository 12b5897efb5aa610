import type { AttentionKind, AttentionRow } from '#contract/kernel/health.ts'
import { type Grants, coversNetwork, isAllowed } from '#contract/kernel/permissions.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { withLinkedName } from '#lib/linked-name.ts'
import { paths, type ServiceRequest } from '#lib/paths.ts'

/* Links of the rows that need attention: page of the object, and the remedy that the role may use. */

export function objectPath({ target }: AttentionRow): string {
  const { type, network_number, router_name, ticket_number } = target
  if (type === 'members') return paths.routers({ type: ROUTER_TYPE.hardware, state: 'offline' })
  if (type === 'saas') return paths.saasDevice(router_name ?? '')
  if (type === 'directory') return paths.ldap
  if (type === 'deliveries') return paths.deliveries
  if (type === 'contacts') return paths.contacts
  if (type === 'ticket') return paths.ticket(ticket_number ?? '')
  if (type === 'router') return paths.router(router_name ?? '')
  if (type === 'link') return paths.network(network_number ?? '', { member: router_name ?? '' })
  return network_number === null ? paths.services : paths.network(network_number)
}

/** Kinds of rows whose name is that of the network that they lead to. */
const NAMED_NETWORKS: ReadonlySet<AttentionKind> = new Set([
  'network_down',
  'network_suspended',
  'pop_expired',
  'pop_ending',
])

/** Navigation state for `objectPath`: the name of its object; null where the row has another name. */
export function toLinkState({ kind, target: { type }, name }: AttentionRow) {
  const isNamed = type === 'router' || type === 'saas' || (type === 'network' && NAMED_NETWORKS.has(kind))
  const isOne = !name.includes('、') // centres that are lost together have one row
  return isNamed && isOne ? withLinkedName(name) : null
}

interface Verb {
  readonly label: string
  readonly to: string
}

/** Link to the remedy, or to the object if there is none or the role may not use it. */
export function toVerb(row: AttentionRow, grants: Grants): Verb {
  const remedy = REMEDY[row.kind]?.(row, grants) ?? null
  return remedy ?? { label: '查看', to: objectPath(row) }
}

const REMEDY: Partial<Record<AttentionKind, (row: AttentionRow, grants: Grants) => Verb | null>> = {
  overlap({ target: { network_number } }, grants) {
    if (network_number === null || !isAllowed('network:edit', grants) || !coversNetwork(grants, network_number))
      return null
    return { label: '调整', to: paths.editNetwork(network_number) }
  },
  contact_expired: (_, grants) =>
    isAllowed('monitor:edit:all', grants) ? { label: '续期', to: paths.contacts } : null,
  service_over: () => ({ label: '续费', to: paths.services }),
  service_ending: () => ({ label: '续费', to: paths.services }),
  quota_full: ({ name }) => ({ label: '联系服务商', to: paths.requestService(REQUEST_OF_QUOTA[name] ?? 'service') }),
}

/** Requests by the names of quotas (features/overview/info.ts). */
const REQUEST_OF_QUOTA: Readonly<Record<string, ServiceRequest>> = {
  组网席位: 'seats',
  软件成员: 'software',
  子账号: 'ram',
}
