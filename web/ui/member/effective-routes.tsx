import { useId, useState } from 'react'
import type { Output } from '#contract/kernel/endpoint.ts'
import { DataTable } from '#ui/table/data-table.tsx'
import './static-routes.css'
import { Select } from '#ui/form/inputs/select-field.tsx'
import { SearchBox } from '#ui/table/filter-bar.tsx'
import { IdentityCell } from '#ui/table/identity-cell.tsx'
import { Icon, type Shape, type Tone } from '#ui/state/state-icon.tsx'
import type { Column } from '#ui/table/table-column.ts'
import { ROUTE_STATE_NAME } from '#contract/network/routing.ts'
import { networkApi } from '#contract/network/index.ts'
import { useQuery } from '#lib/call/use-endpoint.ts'

/* Table of the effective routes (有效路由) of a member in a network, with search. */

type Route = Output<typeof networkApi.routes>[number]

const ICON = {
  chosen: { shape: 'disc', tone: 'ok' },
  standby: { shape: 'ring', tone: 'idle' },
  blocked: { shape: 'dash', tone: 'bad' },
} as const satisfies Record<Route['state'], { shape: Shape; tone: Tone }>

const COLUMNS: readonly Column<Route>[] = [
  { key: 'prefix', title: '网段', isName: true, cell: (route) => <Prefix route={route} /> },
  { key: 'from', title: '来自', cell: ({ router_name, router_name_note }) => router_name_note || router_name },
  { key: 'via', title: '经由', cell: ({ via, via_note }) => via_note || via },
  { key: 'state', title: '状态', phone: 'aside', cell: (route) => <RouteState route={route} /> },
]

/** On a phone it also shows the texts of the other columns. */
function Prefix({ route: { prefix, router_name, router_name_note, via, via_note } }: { readonly route: Route }) {
  const ways = `来自 ${router_name_note || router_name} · 经由 ${via_note || via}`
  return <IdentityCell name={<span className="nl-mono">{prefix}</span>} compactText={ways} />
}

interface RoutesChoiceProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly filter?: boolean
}

/** Select of the member or the network of the shown routes. */
export function RoutesChoice({ label, value, onChange, options, filter = false }: RoutesChoiceProps) {
  const id = useId()
  return (
    <div className="nl-routes-choice">
      <span id={id} className="nl-label">
        {label}
      </span>
      <Select
        aria-labelledby={id}
        value={value}
        onChange={(chosen) => onChange(String(chosen))}
        optionList={[...options]}
        filter={filter}
        motion={false} // with it, onChange fires only after the closing animation
      />
    </div>
  )
}

/** Routes of one member in one network, by configuration. For a searched address the longest prefix comes first. */
export function EffectiveRoutes({
  networkNumber: network_number,
  routerName: router_name,
}: {
  networkNumber: string
  routerName: string
}) {
  const [search, setSearch] = useState('')
  const query = useQuery(networkApi.routes, { network_number, router_name, search }, { keepPrevious: true })
  const found = query.data
  return (
    <div className="nl-routes">
      <SearchBox label="搜索目的地址、网段或成员" value={search} onChange={setSearch} />
      <DataTable
        label="有效路由"
        query={query}
        columns={COLUMNS}
        rowKey={({ prefix, router_name, via }) => `${prefix} ${router_name} ${via}`}
        isReadOnly
        empty={{ title: search === '' ? '暂无路由' : '没有到达该地址的路由' }}
      />
      {found !== undefined && found.count > found.data.length && (
        <span className="nl-help">
          共 {found.count} 条，仅显示前 {found.data.length} 条
        </span>
      )}
      <span className="nl-help">按当前配置计算；链路中断时由设备自动改走其他路由。</span>
    </div>
  )
}

function RouteState({ route: { state, rank, blocked_by } }: { readonly route: Route }) {
  const { shape, tone } = ICON[state]
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
