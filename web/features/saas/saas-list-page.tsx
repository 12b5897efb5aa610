import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { dateText } from '#lib/format/format-time.ts'
import { mbsText } from '#lib/format/format-unit.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { paths } from '#lib/paths.ts'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { PresenceCell } from '#ui/member/member-badges.tsx'
import { MemberIdentity } from '#ui/member/member-identity.tsx'
import { FailureStrip } from '#ui/state/failure-strip.tsx'
import { DataTable } from '#ui/table/data-table.tsx'
import { FilterBar } from '#ui/table/filter-bar.tsx'
import { actionColumn, RowActions } from '#ui/table/row-actions.tsx'
import type { Column } from '#ui/table/table-column.ts'
import { useListState } from '#ui/table/use-list-state.ts'
import { useSaasDevices } from './api.ts'
import { editionText, type SaasRow, temporaryText } from './saas-text.ts'
import { useDeviceDialogs } from './use-device-dialogs.tsx'

/* Page of the list of SaaS devices, under the names of their groups (directory 2). */

const UNGROUPED = '未分组'
const EMPTY = { hint: '开通SaaS加速后，服务商配置的设备会显示在这里。' }

export function SaasListPage() {
  const list = useListState({})
  const query = useSaasDevices(list.search)
  const { toActions, dialog } = useDeviceDialogs()
  const columns: readonly Column<SaasRow>[] = [
    ...COLUMNS,
    actionColumn((row) => <RowActions actions={toActions(row)} subject={memberLabel(row)} />),
  ]
  const groups = groupsOf(query.data?.data ?? [])
  return (
    <>
      <FailureStrip>
        <PageHeader title="SaaS设备" />
        <Panel>
          <FilterBar list={list} searchLabel="搜索设备名称、备注或分组" />
          {groups.length === 0 && (
            <DataTable label="SaaS设备" columns={COLUMNS} rowKey={keyOf} empty={EMPTY} {...{ list, query }} />
          )}
        </Panel>
        {groups.map(([name, rows]) => (
          <Panel key={name} title={`${name}（${rows.length}）`}>
            <DataTable
              label={name}
              columns={columns}
              rowKey={keyOf}
              rowName={memberLabel}
              query={{ ...query, data: { data: rows } }}
            />
          </Panel>
        ))}
      </FailureStrip>
      {dialog}
    </>
  )
}

const keyOf = (row: SaasRow) => row.router_name

function groupsOf(rows: readonly SaasRow[]): readonly (readonly [string, readonly SaasRow[]])[] {
  const groups = new Map<string, SaasRow[]>()
  for (const row of rows) {
    const name = row.group || UNGROUPED
    groups.set(name, [...(groups.get(name) ?? []), row])
  }
  return [...groups]
}

const COLUMNS: readonly Column<SaasRow>[] = [
  {
    key: 'name',
    title: '设备',
    isName: true,
    cell: (row) => (
      <MemberIdentity
        member={row}
        to={paths.saasDevice(row.router_name)}
        compactText={mbsText(row.current_bandwidth)}
      />
    ),
  },
  {
    key: 'presence',
    title: '状态',
    phone: 'aside',
    cell: ({ presence }) => <PresenceCell presence={presence} type={ROUTER_TYPE.hardware} isStale={false} />,
  },
  { key: 'edition', title: '版本', from: 'md', cell: (row) => editionText(row.share) },
  {
    key: 'bandwidth',
    title: '带宽',
    cell: (row) =>
      row.current_bandwidth === row.bandwidth ? (
        mbsText(row.bandwidth)
      ) : (
        <span title={temporaryText(row, Date.now()) || undefined}>
          {mbsText(row.current_bandwidth)} <small className="nl-muted">原 {mbsText(row.bandwidth)}</small>
        </span>
      ),
  },
  { key: 'expire', title: '到期时间', from: 'lg', cell: (row) => dateText(row.expire_date) },
]
