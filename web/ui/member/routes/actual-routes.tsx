import Button from '@douyinfe/semi-ui/lib/es/button'
import Checkbox from '@douyinfe/semi-ui/lib/es/checkbox/checkbox'
import { useState } from 'react'
import type { Output } from '#contract/kernel/endpoint.ts'
import { networkApi } from '#contract/network/index.ts'
import { ROUTE_STATE_NAME, ROUTE_VERDICT_NAME, type RouteVerdict } from '#contract/network/routing.ts'
import { useQuery } from '#lib/call/use-endpoint.ts'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { Icon, type Shape, StatusWord, type Tone } from '#ui/state/state-icon.tsx'
import { DataTable } from '#ui/table/data-table.tsx'
import { SearchBox } from '#ui/table/filter-bar.tsx'
import { IdentityCell } from '#ui/table/identity-cell.tsx'
import type { Column } from '#ui/table/table-column.ts'
import './routes.css'

/* Table of the effective routes of a member beside those that its device has, with search and a filter to differences. */

type Route = Output<typeof networkApi.actualRoutes>[number]

const STATE_ICON = {
  chosen: { shape: 'disc', tone: 'ok' },
  standby: { shape: 'ring', tone: 'idle' },
  blocked: { shape: 'dash', tone: 'bad' },
} as const satisfies Record<NonNullable<Route['state']>, { shape: Shape; tone: Tone }>

const VERDICT_ICON = {
  same: { shape: 'tick', tone: 'ok' },
  missing: { shape: 'cross', tone: 'bad' },
  extra: { shape: 'diamond', tone: 'warn' },
  other_path: { shape: 'unequal', tone: 'warn' },
  unreachable: { shape: 'dash', tone: 'bad' },
  unknown: { shape: 'question', tone: 'idle' },
} as const satisfies Record<RouteVerdict, { shape: Shape; tone: Tone }>

const nameOf = (name: string, note: string): string => note || name || '—'
/** A segment of the member itself leads over no link. */
const viaText = ({ via, via_note, state }: Route): string =>
  via === '' && state !== null ? '本地网段' : nameOf(via, via_note)
const actualText = ({ actual }: Route): string => (actual === null ? '—' : nameOf(actual.via, actual.via_note))

const COLUMNS: readonly Column<Route>[] = [
  { key: 'prefix', title: '网段', isName: true, cell: (route) => <Prefix route={route} /> },
  { key: 'from', title: '来自', from: 'md', cell: (route) => nameOf(route.router_name, route.router_name_note) },
  { key: 'via', title: '应经由', cell: viaText },
  { key: 'actual', title: '实际经由', cell: actualText },
  { key: 'state', title: '配置', from: 'lg', cell: (route) => <RouteState route={route} /> },
  { key: 'verdict', title: '对比', phone: 'aside', cell: ({ verdict }) => <Verdict verdict={verdict} /> },
  { key: 'reason', title: '原因', wrap: true, cell: ({ reason }) => reason || '—' },
]

/** On a phone it also shows the texts of the other columns. */
function Prefix({ route }: { readonly route: Route }) {
  const { prefix, reason } = route
  const ways = `应经由 ${viaText(route)} · 实际 ${actualText(route)}${reason === '' ? '' : ` · ${reason}`}`
  return <IdentityCell name={<span className="nl-mono">{prefix}</span>} compactText={ways} />
}

const Verdict = ({ verdict }: { readonly verdict: RouteVerdict }) => (
  <StatusWord {...VERDICT_ICON[verdict]} word={ROUTE_VERDICT_NAME[verdict]} />
)

interface ActualRoutesProps {
  readonly networkNumber: string
  readonly routerName: string
}

/** Routes of one member in one network. The device is asked when they are read, and again by 刷新. */
export function ActualRoutes({ networkNumber: network_number, routerName: router_name }: ActualRoutesProps) {
  const [search, setSearch] = useState('')
  const [isNarrow, setNarrow] = useState(false)
  const only = isNarrow ? 'differences' : ''
  const query = useQuery(networkApi.actualRoutes, { network_number, router_name, search, only }, { keepPrevious: true })
  const found = query.data
  return (
    <div className="nl-routes">
      <div className="nl-routes-bar">
        <SearchBox label="搜索目的地址、网段或成员" value={search} onChange={setSearch} />
        <Checkbox checked={isNarrow} onChange={(event) => setNarrow(event.target.checked === true)}>
          仅看差异{found !== undefined && `（${found.differences}）`}
        </Checkbox>
        <Button loading={query.isValidating} onClick={() => void query.mutate()}>
          刷新
        </Button>
        {found !== undefined && found.at !== null && (
          <span className="nl-muted">
            设备应答于 <TimeText at={found.at} />
          </span>
        )}
      </div>
      {found !== undefined && found.notice !== '' && <Notice role="status">{found.notice}</Notice>}
      <DataTable
        label="路由"
        query={query}
        columns={COLUMNS}
        rowKey={({ prefix, router_name: from, via, actual }) => `${prefix} ${from} ${via} ${actual?.link ?? ''}`}
        isReadOnly
        empty={{ title: emptyText(search, isNarrow) }}
      />
      {found !== undefined && found.count > found.data.length && (
        <span className="nl-help">
          共 {found.count} 条，仅显示前 {found.data.length} 条
        </span>
      )}
    </div>
  )
}

function emptyText(search: string, isNarrow: boolean): string {
  if (search !== '') return '没有到达该地址的路由'
  return isNarrow ? '没有差异' : '暂无路由'
}

function RouteState({ route: { state, rank, blocked_by } }: { readonly route: Route }) {
  if (state === null) return <span className="nl-muted">配置中没有</span>
  const { shape, tone } = STATE_ICON[state]
  const cause = blocked_by === null ? '' : blocked_by === 0 ? '（没有网络号允许）' : `（第 ${blocked_by} 条网络号）`
  return (
    <span className="nl-status">
      <Icon shape={shape} tone={tone} />
      {ROUTE_STATE_NAME[state]}
      {state === 'standby' && rank !== null && ` ${rank - 1}`}
      {cause}
    </span>
  )
}
