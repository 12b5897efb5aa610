import { Link } from 'react-router'
import type { Output } from '../../../../worker/contract/endpoint.ts'
import type { networkApi } from '../../../../worker/contract/network.ts'
import { paths } from '../../../lib/paths.ts'
import type { Column } from '../../../ui/table-parts.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { HealthBadge } from '../../../ui/status-badge.tsx'
import { membersText, statusName, typeName } from '../network-text.ts'
import { SecondLine } from './second-line.tsx'

export type NetworkRow = Output<typeof networkApi.lists>[number]

export const NETWORK_COLUMNS: readonly Column<NetworkRow>[] = [
  {
    key: 'name',
    title: '组网名称',
    isName: true,
    cell: (row) => (
      <>
        <Link to={paths.network(row.network_number)}>{row.network_name}</Link>
        <SecondLine>{row.network_number}</SecondLine>
      </>
    ),
  },
  { key: 'type', title: '组网类型', cell: (row) => typeName(row.network_type) },
  {
    key: 'members',
    title: '成员数',
    cell: ({ member_count, health }) => (
      <span>
        {member_count} {health !== null && <span className="nl-muted">（{membersText(health.members)}）</span>}
      </span>
    ),
  },
  { key: 'pop', title: 'POP资源', cell: (row) => row.fr_name || '—' },
  {
    key: 'status',
    title: '状态',
    cell: ({ network_status, health }) => (
      <>
        <HealthBadge health={health} />
        <SecondLine>{statusName(network_status)}</SecondLine>
      </>
    ),
  },
  { key: 'created', title: '创建时间', cell: (row) => <TimeText at={row.create_time} /> },
]
