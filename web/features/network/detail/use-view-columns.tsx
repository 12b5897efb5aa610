import { TUNNEL_KIND_NAME } from '#contract/network/tunnels.ts'
import { lossText, rttText } from '#lib/format/format-unit.ts'
import { paths } from '#lib/paths.ts'
import { CopyText } from '#ui/layout/text/copy-text.tsx'
import { LinkCell } from '#ui/member/member-badges.tsx'
import { MemberIdentity } from '#ui/member/member-identity.tsx'
import type { Column } from '#ui/table/table-column.ts'
import { useColumnChoice } from '#ui/table/column-menu.tsx'
import { memberColumns } from '../members/member-columns.tsx'
import type { Link } from '../live-network.ts'
import type { TopologySelection } from '../topology/topology.tsx'
import type { NamedMember, useFilteredMembers } from './use-filtered-members.ts'

/* Columns of the member table and the link table of the network page, and the choice of those shown. */

interface Cells {
  readonly shown: ReturnType<typeof useFilteredMembers>
  readonly isStale: boolean
  readonly onSelect: (picked: TopologySelection | null) => void
}

export function useViewColumns({ shown, isStale, onSelect }: Cells) {
  const { affected, linksByMember, toName, toNamed } = shown
  return {
    members: useColumnChoice(
      '组网成员',
      memberColumns({
        isStale,
        linksByMember,
        toName,
        singleCenter: affected.singleCenter,
        onOpen: ({ router_name }) => onSelect({ kind: 'member', name: router_name }),
      }),
    ),
    links: useColumnChoice(
      '组网链路',
      linkColumns({
        isStale,
        toName,
        toNamed,
        onOpen: ({ id }) => onSelect({ kind: 'links', ids: [id] }),
      }),
    ),
  }
}

export type ViewColumns = ReturnType<typeof useViewColumns>

interface LinkCells {
  readonly isStale: boolean
  readonly toName: (routerName: string) => string
  readonly toNamed: (routerName: string) => NamedMember
  readonly onOpen: (link: Link) => void
}

function linkColumns({ isStale, toName, toNamed, onOpen }: LinkCells): readonly Column<Link>[] {
  return [
    {
      key: 'point',
      title: '本端',
      isName: true,
      sort: { by: 'name', first: 'asc' },
      cell: (link) => (
        <MemberIdentity
          member={toNamed(link.router_name)}
          onOpen={() => onOpen(link)}
          compactText={`↔ ${toName(link.center_router_name)} · ${qualityText(link)}`}
        />
      ),
    },
    {
      key: 'center',
      title: '对端',
      width: 120, // its serial number has no room otherwise, with all columns chosen
      sort: { by: 'center', first: 'asc' },
      // A POP node belongs to the operator and has no page.
      cell: ({ kind, center_router_name: name }) =>
        kind === 'pop' ? (
          <MemberIdentity member={toNamed(name)} />
        ) : (
          <MemberIdentity member={toNamed(name)} to={paths.router(name)} isNewTab />
        ),
    },
    { key: 'kind', title: '类型', from: 'lg', cell: ({ kind }) => TUNNEL_KIND_NAME[kind ?? 'access'] },
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
    {
      key: 'loss',
      title: '丢包',
      align: 'right',
      from: 'lg',
      cell: ({ tunnel }) => (tunnel === undefined || tunnel.loss === null ? '—' : lossText(tunnel.loss)),
    },
    { key: 'bytes', title: '接收 / 发送', align: 'right', from: 'xl', cell: () => '—' }, // read with the page of the table
    { key: 'cipher', title: '加密算法', isOptional: true, cell: ({ tunnel }) => tunnel?.cipher || '—' },
    {
      key: 'remote',
      title: '本端公网地址',
      isOptional: true,
      cell: ({ tunnel }) => <Address text={tunnel?.client_remote ?? ''} label="复制公网地址" />,
    },
    { key: 'ip', title: '本端 VPN IP', from: 'lg', cell: (link) => <Address text={link.vpn_ip} /> },
    { key: 'center_ip', title: '对端 VPN IP', from: 'lg', cell: (link) => <Address text={link.center_vpn_ip} /> },
  ]
}

/** Reason of a link that is not up, or else its latency. */
const qualityText = ({ state, reason, rtt_ms }: Link): string =>
  state === 'up' || reason === '' ? rttText(rtt_ms) : reason

function Address({ text, label = '复制 VPN IP' }: { readonly text: string; readonly label?: string }) {
  return text === '' ? <span className="nl-muted">—</span> : <CopyText text={text} label={label} />
}
