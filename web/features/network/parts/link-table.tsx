import { useMemo } from 'react'
import { PAGE_SIZE } from '../../../../worker/contract/limits.ts'
import { memberLabel } from '../../../lib/member-label.ts'
import { countText, rttText } from '../../../lib/format-unit.ts'
import { CopyText } from '../../../ui/copy-text.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { LinkBadge } from '../../../ui/status-badge.tsx'
import type { Column } from '../../../ui/table-parts.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { useLocalListState } from '../../../ui/use-list-state.ts'
import { isMatch } from '../picker.ts'
import type { Link } from '../projection.ts'

interface LinkTableProps {
  readonly links: readonly Link[]
  /** Of the members' own search: a link is shown with either of its ends. */
  readonly search: string
  readonly isStale: boolean
}

const NO_FILTERS = {}

/** Links of the network (network 3), those that are not up first; paged on the client. */
export function LinkTable({ links, search, isStale }: LinkTableProps) {
  const pages = useLocalListState(NO_FILTERS)
  const shown = useMemo(
    () =>
      links
        .filter((link) => endsOf(link).some((end) => isMatch(end, search)))
        .toSorted((a, b) => Number(a.state === 'up') - Number(b.state === 'up')),
    [links, search],
  )
  const page = Math.min(pages.page, Math.max(1, Math.ceil(shown.length / PAGE_SIZE)))
  const data = { data: shown.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE), count: shown.length }
  const columns: readonly Column<Link>[] = [
    { key: 'point', title: '普通点', isName: true, cell: (link) => memberLabel(endsOf(link)[0]) },
    { key: 'center', title: '中心点', cell: (link) => memberLabel(endsOf(link)[1]) },
    {
      key: 'state',
      title: '状态',
      cell: (link) => <LinkBadge state={link.state} reason={link.reason} since={link.since} stale={isStale} />,
    },
    { key: 'ip', title: 'VPN IP', cell: (link) => (link.vpn_ip === '' ? '—' : <CopyText text={link.vpn_ip} />) },
    { key: 'online', title: '连通时间', cell: (link) => <TimeText at={link.vpn_online_time} never="—" /> },
    { key: 'rtt', title: '延迟', align: 'right', cell: (link) => rttText(link.rtt_ms) },
  ]
  return (
    <Panel title={`链路（${countText(shown.length)}）`}>
      <DataTable
        label="链路"
        query={{ data, isValidating: false, mutate: () => {} }}
        columns={columns}
        rowKey={(link) => link.id}
        list={{ ...pages, page, isNarrowed: search !== '' }}
        empty={{ hint: '还没有链路' }}
      />
    </Panel>
  )
}

const endsOf = (link: Link) =>
  [
    { router_name: link.router_name, note: link.router_name_note },
    { router_name: link.center_router_name, note: link.center_router_name_note },
  ] as const
