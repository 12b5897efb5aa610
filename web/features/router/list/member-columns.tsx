import { paths } from '#lib/paths.ts'
import { firstOfText, FirstOf } from '#ui/table/count-cells.tsx'
import { MemberIdentity } from '#ui/member/member-identity.tsx'
import { ConfigBadge, PathsBadge, PresenceCell } from '#ui/member/member-badges.tsx'
import type { Column } from '#ui/table/table-column.ts'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import { isPresent } from '#domain/health/member.ts'
import type { Output } from '#contract/kernel/endpoint.ts'
import type { routerApi } from '#contract/router/index.ts'
import type { RouterSort } from '#contract/router/routers.ts'
import { clientText, phoneText, type RouterRow, SOURCE_NAME } from '../router-text.ts'

/* Columns of the lists of hardware and software members. */

type MemberColumn = Column<RouterRow> & { readonly sort?: { readonly by: RouterSort; readonly first: 'asc' | 'desc' } }

/** One line of text for phones, in place of the columns that they leave out. */
const compactText = ({ networks, lan }: RouterRow): string =>
  [firstOfText(networks.map(({ network_name }) => network_name)), firstOfText(lan)].filter(Boolean).join(' · ')

const identity = (onOpen?: (row: RouterRow) => void): MemberColumn => ({
  key: 'name',
  title: '成员',
  isName: true,
  sort: { by: 'name', first: 'asc' },
  cell: (row) => (
    <MemberIdentity
      member={row}
      compactText={compactText(row)}
      {...(onOpen === undefined ? { to: paths.router(row.router_name) } : { onOpen: () => onOpen(row) })}
    />
  ),
})
const presence = (isStale: boolean): MemberColumn => ({
  key: 'presence',
  title: '状态',
  phone: 'aside',
  sort: { by: 'state', first: 'desc' },
  cell: (row) => <PresenceCell presence={row.presence} type={row.router_type} isStale={isStale} />,
})
const networks: MemberColumn = {
  key: 'networks',
  title: '组网',
  sort: { by: 'networks', first: 'desc' },
  cell: (row) => (
    <FirstOf
      label="组网"
      items={row.networks.map((network) => ({
        text: network.network_name,
        to: paths.network(network.network_number),
      }))}
    />
  ),
}
const seen: MemberColumn = {
  key: 'seen',
  title: '最近在线',
  from: 'xl',
  sort: { by: 'seen', first: 'desc' },
  cell: ({ presence: { state, last_seen } }) =>
    isPresent(state) ? (
      <span className="nl-muted">现在</span>
    ) : (
      <TimeText at={last_seen} mode="relative" never="从未" />
    ),
}
const created: MemberColumn = {
  key: 'created',
  title: '创建时间',
  isOptional: true,
  sort: { by: 'created', first: 'desc' },
  cell: (row) => <TimeText at={row.create_time} />,
}
const remoteIp: MemberColumn = {
  key: 'remote_ip',
  title: '公网 IP',
  isOptional: true,
  cell: (row) => (row.remote_ip === '' ? '—' : <span className="nl-mono">{row.remote_ip}</span>),
}

type PathsByName = Output<typeof routerApi.paths>

/** Column of links. It cannot be sorted, because the server's rows do not have them. */
const links = (isStale: boolean, byName: PathsByName | undefined): MemberColumn => ({
  key: 'links',
  title: '链路',
  from: 'lg',
  cell: ({ router_name, presence: { state } }) => (
    <PathsBadge paths={byName?.[router_name] ?? null} isAbsent={!isPresent(state)} isStale={isStale} />
  ),
})

export function hardwareColumns(isStale: boolean, byName: PathsByName | undefined): readonly MemberColumn[] {
  return [
    identity(),
    presence(isStale),
    networks,
    {
      key: 'lan',
      title: 'LAN 网段',
      from: 'lg',
      cell: (row) => <FirstOf label="网段" isMono items={row.lan.map((text) => ({ text }))} />,
    },
    links(isStale, byName),
    {
      key: 'config',
      title: '配置',
      from: 'md',
      sort: { by: 'config', first: 'desc' },
      cell: (row) => <ConfigBadge config={row.config} isStale={isStale} />,
    },
    seen,
    remoteIp,
    { key: 'model', title: '型号', isOptional: true, cell: (row) => row.router_model || '—' },
    { key: 'version', title: '版本', isOptional: true, cell: (row) => row.version || '—' },
    created,
  ]
}

export function softwareColumns(isStale: boolean, onOpen: (row: RouterRow) => void): readonly MemberColumn[] {
  return [
    identity(onOpen),
    presence(isStale),
    networks,
    { key: 'phone', title: '手机号码', from: 'md', cell: (row) => phoneText(row.area_code, row.phone) },
    { key: 'status', title: '账号状态', from: 'lg', cell: (row) => <AccountStatus status={row.status} /> },
    seen,
    { key: 'source', title: '来源', isOptional: true, cell: (row) => SOURCE_NAME[row.source] },
    { key: 'client', title: '客户端', isOptional: true, cell: clientText },
    created,
  ]
}

/** 1 is normal; any other value is disabled (network 3). */
export function AccountStatus({ status }: { readonly status: number }) {
  return status === 1 ? <>正常</> : <span className="nl-muted">已停用</span>
}
