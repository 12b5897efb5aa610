import { TruncatedText } from '../../../ui/truncated-text.tsx'
import { NETWORK } from '../../../../worker/contract/limits.ts'
import { CopyText } from '../../../ui/copy-text.tsx'
import type { Column } from '../../../ui/table-parts.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { type RouterRow, phoneText, SOURCE_NAME } from '../router-text.ts'
import { ConfigBadge, PresenceBadge } from '../../../ui/member-badges.tsx'

type Columns = readonly Column<RouterRow>[]

const note: Column<RouterRow> = {
  key: 'note',
  title: '备注',
  wrap: true,
  cell: (row) => (row.note === '' ? '—' : <TruncatedText text={row.note} max={NETWORK.noteShown} />),
}
const networks: Column<RouterRow> = { key: 'networks', title: '组网数', cell: (row) => row.network_count }
const created: Column<RouterRow> = {
  key: 'created',
  title: '创建时间',
  cell: (row) => <TimeText at={row.create_time} />,
}
const name = (title: string): Column<RouterRow> => ({
  key: 'name',
  title,
  isName: true,
  cell: (row) => <CopyText text={row.router_name} label={`复制${title}`} />,
})
const presence = (isStale: boolean): Column<RouterRow> => ({
  key: 'presence',
  title: '在线状态',
  cell: (row) => <PresenceBadge presence={row.presence} isStale={isStale} />,
})

export function hardwareColumns(isStale: boolean): Columns {
  return [
    name('序列号'),
    note,
    presence(isStale),
    { key: 'config', title: '配置', cell: (row) => <ConfigBadge config={row.config} isStale={isStale} /> },
    { key: 'model', title: '型号', cell: (row) => row.router_model || '—' },
    { key: 'version', title: '版本', cell: (row) => row.version || '—' },
    networks,
    created,
  ]
}

export function softwareColumns(isStale: boolean): Columns {
  return [
    name('账号'),
    note,
    { key: 'phone', title: '手机号码', cell: (row) => phoneText(row.area_code, row.phone) },
    presence(isStale),
    networks,
    { key: 'source', title: '来源', cell: (row) => SOURCE_NAME[row.source] },
    { key: 'status', title: '账号状态', cell: (row) => <AccountStatus status={row.status} /> },
    created,
  ]
}

/** 1 is normal, anything else disabled (network 3). */
export function AccountStatus({ status }: { readonly status: number }) {
  return status === 1 ? <>正常</> : <span className="nl-muted">已停用</span>
}
