import type { Output } from '../../../../worker/contract/endpoint.ts'
import type { networkApi, NetworkSort } from '../../../../worker/contract/network.ts'
import { paths } from '../../../lib/paths.ts'
import { IdentityCell } from '../../../ui/identity-cell.tsx'
import type { Column } from '../../../ui/table-parts.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { membersText, typeName } from '../network-text.ts'
import { NetworkStateCell } from './network-state.tsx'

export type NetworkRow = Output<typeof networkApi.lists>[number]
type NetworkColumn = Column<NetworkRow> & {
  readonly sort?: { readonly by: NetworkSort; readonly first: 'asc' | 'desc' }
}

export const networkColumns = (isStale: boolean): readonly NetworkColumn[] => [
  {
    key: 'name',
    title: '组网名称',
    isName: true,
    sort: { by: 'name', first: 'asc' },
    cell: (row) => (
      <IdentityCell
        name={row.network_name}
        to={paths.network(row.network_number)}
        second={<span className="nl-mono">{row.network_number}</span>}
        phone={`在线 ${row.online_count} / ${row.member_count}`}
      />
    ),
  },
  {
    key: 'status',
    title: '状态',
    phone: 'aside',
    sort: { by: 'status', first: 'desc' },
    cell: ({ health, network_status, suspended_time }) => (
      <NetworkStateCell {...{ health, isStale }} status={network_status} suspendedAt={suspended_time} />
    ),
  },
  {
    key: 'members',
    title: '成员数',
    sort: { by: 'members', first: 'desc' },
    cell: ({ member_count, health }) => (
      <span>
        {member_count} {health !== null && <span className="nl-muted">（{membersText(health.members)}）</span>}
      </span>
    ),
  },
  { key: 'type', title: '组网类型', from: 'md', cell: (row) => typeName(row.network_type) },
  { key: 'pop', title: 'POP资源', from: 'lg', cell: (row) => row.fr_name || '—' },
  {
    key: 'created',
    title: '创建时间',
    from: 'xl',
    sort: { by: 'created', first: 'desc' },
    cell: (row) => <TimeText at={row.create_time} />,
  },
]
