import type { InterfaceInfo } from '../../../../worker/contract/protocol.ts'
import { CopyText } from '../../../ui/copy-text.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { LinkBadge } from '../../../ui/status-badge.tsx'
import type { Column } from '../../../ui/table-parts.tsx'
import { addressText, PROTOCOL_NAME, INTERFACE_ROLE_NAME } from '../router-text.ts'

interface InterfaceTableProps {
  readonly interfaces: readonly InterfaceInfo[]
  /** Why the states of the interfaces are unknown, or null. */
  readonly silence: string | null
  readonly onRetry: () => unknown
}

/** Interfaces as the device reports them (network 2). */
export function InterfaceTable({ interfaces, silence, onRetry }: InterfaceTableProps) {
  return (
    <DataTable
      label="接口设置"
      query={{ data: { data: interfaces }, isValidating: false, mutate: onRetry }}
      columns={columns(silence)}
      rowKey={(row) => row.interface}
      empty={{ title: '暂无接口', hint: '设备上线后会上报它的接口。' }}
    />
  )
}

function columns(silence: string | null): readonly Column<InterfaceInfo>[] {
  return [
    { key: 'name', title: '接口', isName: true, cell: (row) => row.interface },
    { key: 'role', title: '用途', cell: (row) => INTERFACE_ROLE_NAME[row.role] },
    {
      key: 'state',
      title: '状态',
      cell: (row) =>
        silence === null ? (
          <LinkBadge state={row.up ? 'up' : 'down'} />
        ) : (
          <LinkBadge state="unknown" reason={silence} />
        ),
    },
    { key: 'protocol', title: '协议', cell: (row) => PROTOCOL_NAME[row.protocol] },
    {
      key: 'ip',
      title: 'IP 地址',
      cell: (row) => (row.ip === '' ? '—' : <CopyText text={addressText(row)} label="复制 IP 地址" />),
    },
    { key: 'mtu', title: 'MTU', from: 'md', cell: (row) => row.mtu || '—' },
    { key: 'mac', title: 'MAC 地址', from: 'md', cell: (row) => <span className="nl-mono">{row.mac || '—'}</span> },
  ]
}
