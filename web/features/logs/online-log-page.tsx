import { Link, useSearchParams } from 'react-router'
import { durationText } from '#lib/format/format-time.ts'
import { withLinkedName } from '#lib/linked-name.ts'
import { paths } from '#lib/paths.ts'
import { Tabs } from '#ui/layout/tabs.tsx'
import { SinceText, TimeText } from '#ui/layout/text/time-text.tsx'
import { MemberIdentity } from '#ui/member/member-identity.tsx'
import { StatusWord } from '#ui/state/state-icon.tsx'
import type { Column } from '#ui/table/table-column.ts'
import { useListState } from '#ui/table/use-list-state.ts'
import { type OnlineRow, useOnline } from './api.ts'
import { LogList, memberColumn, Mono, useLogRange, useMemberFilter } from './log-list.tsx'

/* Page of the online log: dials of software members and links of hardware members, each with its own list (directory 2). */

const MODES = [
  { value: 'p2p', label: '点对点' },
  { value: 'pop', label: 'POP' },
] as const
type Mode = (typeof MODES)[number]['value']

const TARGET: Readonly<Record<Mode, readonly Column<OnlineRow>[]>> = {
  p2p: [
    { key: 'network', title: '组网', from: 'md', cell: (row) => <Network row={row} /> },
    {
      key: 'link',
      title: '对端成员',
      cell: ({ link_router_name, link_note }) => (
        <MemberIdentity member={{ router_name: link_router_name, note: link_note }} />
      ),
    },
  ],
  pop: [
    { key: 'pop', title: 'POP资源', cell: (row) => row.pop_name || '—' },
    { key: 'area', title: '区域', from: 'md', cell: (row) => row.area || '—' },
  ],
}

/** Name of the network with a link; of a deleted one its number. */
function Network({ row: { network_number, network_name } }: { readonly row: OnlineRow }) {
  if (network_name === '') return <Mono text={network_number} />
  return (
    <Link to={paths.network(network_number)} state={withLinkedName(network_name)}>
      {network_name}
    </Link>
  )
}

const columnsOf = (mode: Mode): readonly Column<OnlineRow>[] => [
  memberColumn((row) => row.start_time),
  {
    key: 'state',
    title: '状态',
    phone: 'aside',
    cell: ({ end_time }) =>
      end_time === null ? (
        <StatusWord word="在线" shape="disc" tone="ok" />
      ) : (
        <StatusWord word="已结束" shape="dash" tone="idle" />
      ),
  },
  ...TARGET[mode],
  { key: 'orig', title: '来源地址', from: 'lg', cell: (row) => <Mono text={row.orig} /> },
  { key: 'vpn', title: 'VPN地址', from: 'lg', cell: (row) => <Mono text={row.vpn_ip} /> },
  { key: 'start', title: '开始时间', from: 'md', cell: (row) => <TimeText at={row.start_time} /> },
  { key: 'end', title: '结束时间', from: 'lg', cell: (row) => <TimeText at={row.end_time} /> },
  {
    key: 'online',
    title: '在线时长',
    from: 'md',
    cell: (row) => (row.end_time === null ? <SinceText at={row.start_time} /> : durationText(row.online_time * 1_000)),
  },
]
const COLUMNS: Readonly<Record<Mode, readonly Column<OnlineRow>[]>> = { p2p: columnsOf('p2p'), pop: columnsOf('pop') }

export function OnlineLogPage() {
  const [query, setQuery] = useSearchParams()
  const mode = MODES.find(({ value }) => value === query.get('mode'))?.value ?? 'p2p'
  return <OnlineLog key={mode} mode={mode} onMode={(next) => setQuery(next === 'p2p' ? {} : { mode: next })} />
}

function OnlineLog({ mode, onMode }: { readonly mode: Mode; readonly onMode: (mode: Mode) => void }) {
  const list = useListState({ range: '', member: '' })
  const range = useLogRange(list)
  const { page, limit, search } = list
  const { member: router_name } = list.filters
  const query = useOnline({ mode, page, limit, search, router_name, ...range.sent })
  const ofMember = useMemberFilter(list, query.data?.data)
  return (
    <LogList
      title="拨号记录"
      searchLabel={mode === 'p2p' ? '搜索成员、备注、组网或地址' : '搜索成员、备注、POP资源或地址'}
      hint={
        mode === 'p2p'
          ? '成员与中心点建立连接后，每次上线和下线的时间会显示在这里。'
          : '成员接入POP后，每次上线和下线的时间会显示在这里。'
      }
      columns={COLUMNS[mode]}
      rowName={(row) => row.router_name}
      exported={{ type: mode === 'p2p' ? 'online' : 'pop_online', router_name }}
      wrap={(content) => (
        <Tabs<Mode> label="接入方式" value={mode} options={MODES} onChange={onMode}>
          {content}
        </Tabs>
      )}
      {...{ list, range, query, ...ofMember }}
    />
  )
}
