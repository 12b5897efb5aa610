import type { Output } from '#contract/kernel/endpoint.ts'
import { SINGLE_CENTER_WORD } from '#contract/kernel/states.ts'
import type { networkApi } from '#contract/network/index.ts'
import { POP } from '#contract/network/limits.ts'
import type { NetworkSort } from '#contract/network/networks.ts'
import { countOpened } from '#domain/health/link.ts'
import { countText } from '#lib/format/format-unit.ts'
import { paths } from '#lib/paths.ts'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import { IdentityCell } from '#ui/table/identity-cell.tsx'
import { Ratio } from '#ui/table/ratio.tsx'
import type { Column } from '#ui/table/table-column.ts'
import { membersText, typeName } from '../network-text.ts'
import styles from './network-list.module.css'
import { ExpireDay, NetworkStateCell } from './network-state.tsx'

export type NetworkRow = Output<typeof networkApi.lists>[number]
type NetworkColumn = Column<NetworkRow> & {
  readonly sort?: { readonly by: NetworkSort; readonly first: 'asc' | 'desc' }
}

export const networkColumns = (isStale: boolean): readonly NetworkColumn[] => [
  {
    key: 'name',
    title: '组网名称',
    isName: true,
    sort: { by: 'name', first: 'asc' },
    cell: (row) => (
      <IdentityCell
        name={row.network_name}
        to={paths.network(row.network_number)}
        second={<span className="nl-mono">{row.network_number}</span>}
        compactText={`在线 ${row.online_count} / ${row.member_count}`}
      />
    ),
  },
  {
    key: 'status',
    title: '状态',
    phone: 'aside',
    sort: { by: 'status', first: 'desc' },
    cell: ({ health, network_status, suspended_time, fr_expire_day }) => (
      <NetworkStateCell
        {...{ health, isStale }}
        status={network_status}
        suspendedAt={suspended_time}
        isPopExpired={fr_expire_day === 0}
      />
    ),
  },
  {
    key: 'members',
    title: '成员数',
    wrap: true,
    sort: { by: 'members', first: 'desc' },
    cell: ({ member_count, health }) => (
      <span>
        {member_count}
        {health !== null && <small className={styles.states}>{membersText(health.members)}</small>}
      </span>
    ),
  },
  { key: 'links', title: '链路', from: 'md', cell: ({ health }) => <Links health={health} /> },
  {
    key: 'config',
    title: '配置生效',
    from: 'lg',
    cell: ({ health }) => <Ratio of={health?.config.applied ?? 0} total={health?.config.total ?? 0} />,
  },
  { key: 'type', title: '组网类型', from: 'lg', cell: (row) => typeName(row.network_type) },
  { key: 'pop', title: 'POP资源', from: 'lg', cell: (row) => <PopResource {...row} /> },
  {
    key: 'created',
    title: '创建时间',
    from: 'xl',
    sort: { by: 'created', first: 'desc' },
    cell: (row) => <TimeText at={row.create_time} />,
  },
]

/** POP resource; its expiry is part of the state, which stays where this column drops out. */
function PopResource({ fr_name, fr_expire_day: days }: Pick<NetworkRow, 'fr_name' | 'fr_expire_day'>) {
  if (days === null) return <span className="nl-muted">—</span>
  return (
    <>
      {fr_name}
      {days > 0 && days <= POP.soonDays && (
        <div>
          <ExpireDay days={days} />
        </div>
      )}
    </>
  )
}

/** Up of those whose ends both came; how many members have lost their second way. */
function Links({ health }: Pick<NetworkRow, 'health'>) {
  if (health === null) return <span className="nl-muted">—</span>
  const { up, total } = countOpened(health.links)
  const { single_center } = health
  return (
    <>
      <Ratio of={up} total={total} isLacking={up < total} />
      {single_center > 0 && (
        <div className="nl-muted">
          {SINGLE_CENTER_WORD} {countText(single_center)}
        </div>
      )}
    </>
  )
}
