import { useMemo } from 'react'
import { rttText } from '../../../lib/format-unit.ts'
import { paths } from '../../../lib/paths.ts'
import { CopyText } from '../../../ui/copy-text.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { MemberIdentity } from '../../../ui/identity-cell.tsx'
import { LinkCell } from '../../../ui/member-badges.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { NothingWrong } from '../../../ui/states.tsx'
import type { Column } from '../../../ui/table-parts.tsx'
import { useClientPage } from '../../../ui/use-client-page.ts'
import type { ListState } from '../../../ui/use-list-state.ts'
import { linkOrders, type ViewSort } from '../network-order.ts'
import type { Link } from '../projection.ts'
import type { NamedMember } from '../use-shown.ts'

interface LinkTableProps {
  /** Those that search and chip leave, in their order. */
  readonly links: readonly Link[]
  readonly list: ListState<'state', ViewSort>
  readonly isFaultFilter: boolean
  readonly isStale: boolean
  readonly toName: (routerName: string) => string
  readonly toNamed: (routerName: string) => NamedMember
  /** A centre's address in its own segment; empty where it is not known. */
  readonly toCenterAddress: (routerName: string) => string
  /** Its panel is open. */
  readonly isCurrent: (link: Link) => boolean
  readonly onOpen: (link: Link) => void
}

/** Links of the network (network 3), paged on the client. */
export function LinkTable(props: LinkTableProps) {
  const { links, list, isFaultFilter, isCurrent, toName } = props
  const paged = useClientPage(
    links,
    list,
    useMemo(() => linkOrders(toName), [toName]),
  )
  if (links.length === 0 && isFaultFilter)
    return (
      <Panel>
        <NothingWrong onClear={list.clear} />
      </Panel>
    )
  return (
    <Panel>
      <DataTable
        label="链路"
        {...paged}
        isCurrent={isCurrent}
        columns={linkColumns(props)}
        rowKey={(link) => link.id}
        rowName={(link) => `${toName(link.router_name)} ↔ ${toName(link.center_router_name)}`}
        empty={{ title: '暂无链路', hint: '硬件成员之间的链路在组网有中心点和普通点后出现。' }}
      />
    </Panel>
  )
}

function linkColumns({ isStale, toName, toNamed, toCenterAddress, onOpen }: LinkTableProps): readonly Column<Link>[] {
  return [
    {
      key: 'point',
      title: '普通点',
      isName: true,
      sort: { by: 'name', first: 'asc' },
      cell: (link) => (
        <MemberIdentity
          member={toNamed(link.router_name)}
          onOpen={() => onOpen(link)}
          phone={`↔ ${toName(link.center_router_name)} · ${rttText(link.rtt_ms)}`}
        />
      ),
    },
    {
      key: 'center',
      title: '中心点',
      sort: { by: 'center', first: 'asc' },
      cell: ({ center_router_name: name }) => (
        <MemberIdentity member={toNamed(name)} to={paths.router(name)} isNewTab />
      ),
    },
    {
      key: 'state',
      title: '状态',
      phone: 'aside',
      sort: { by: 'worst', first: 'desc' },
      cell: (link) => <LinkCell link={link} isStale={isStale} />,
    },
    {
      key: 'rtt',
      title: '时延',
      align: 'right',
      from: 'md',
      sort: { by: 'rtt', first: 'asc' },
      cell: (link) => rttText(link.rtt_ms),
    },
    { key: 'ip', title: '普通点 VPN IP', from: 'lg', cell: (link) => <Address text={link.vpn_ip} /> },
    {
      key: 'center_ip',
      title: '中心点 VPN IP',
      from: 'lg',
      cell: (link) => <Address text={toCenterAddress(link.center_router_name)} />,
    },
  ]
}

function Address({ text }: { readonly text: string }) {
  return text === '' ? <span className="nl-muted">—</span> : <CopyText text={text} label="复制 VPN IP" />
}
