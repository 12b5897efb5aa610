import { type ReactNode, useId } from 'react'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { mbsText } from '#lib/format/format-unit.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { paths } from '#lib/paths.ts'
import { CountChips } from '#ui/chart/bars/count-chips.tsx'
import { useNow } from '#ui/hooks/use-now.ts'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { ExpiryDate } from '#ui/layout/text/time-text.tsx'
import { PresenceCell } from '#ui/member/member-badges.tsx'
import { MemberIdentity } from '#ui/member/member-identity.tsx'
import { FailureStrip } from '#ui/state/failure-strip.tsx'
import { DataTable } from '#ui/table/data-table.tsx'
import { FilterBar } from '#ui/table/filter-bar.tsx'
import { actionColumn, RowActions } from '#ui/table/row-actions.tsx'
import type { Column } from '#ui/table/table-column.ts'
import { useListState } from '#ui/table/use-list-state.ts'
import { useSaasDevices } from './api.ts'
import styles from './saas-list-page.module.css'
import {
  compactText,
  editionText,
  isInState,
  type SaasRow,
  stateChips,
  temporaryText,
  toSaasState,
} from './saas-text.ts'
import { useDeviceDialogs } from './use-device-dialogs.tsx'

/* Page of the list of SaaS devices, under the names of their groups (directory 2). */

const UNGROUPED = '未分组'
const EMPTY = { hint: '开通SaaS加速后，服务商配置的设备会显示在这里。' }

export function SaasListPage() {
  const list = useListState({ state: '' })
  const query = useSaasDevices(list.search)
  const { toActions, dialog } = useDeviceDialogs()
  const now = useNow()
  const columns: readonly Column<SaasRow>[] = [
    ...COLUMNS,
    actionColumn((row) => <RowActions actions={toActions(row)} subject={memberLabel(row)} />),
  ]
  const state = toSaasState(list.filters.state)
  const devices = query.data?.data
  const shown = devices?.filter((row) => isInState(row, state, now))
  const groups = groupsOf(shown ?? [])
  return (
    <>
      <FailureStrip>
        <PageHeader title="SaaS设备" />
        <Panel>
          <FilterBar list={list} searchLabel="搜索设备名称、备注或分组">
            <CountChips
              label="设备状态"
              value={state}
              total={devices?.length}
              chips={stateChips(devices ?? [], now)}
              onChange={(chosen) => list.setFilter('state', chosen)}
            />
          </FilterBar>
          {groups.length === 0 && (
            <DataTable
              label="SaaS设备"
              columns={COLUMNS}
              rowKey={keyOf}
              empty={EMPTY}
              list={list}
              query={{ ...query, data: shown && { data: shown } }}
            />
          )}
          {groups.map(([name, rows]) => (
            <Group key={name} title={`${name}（${rows.length}）`}>
              <DataTable
                label={name}
                columns={columns}
                rowKey={keyOf}
                rowName={memberLabel}
                query={{ ...query, data: { data: rows } }}
              />
            </Group>
          ))}
        </Panel>
      </FailureStrip>
      {dialog}
    </>
  )
}

function Group({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = useId()
  return (
    <section className={styles.group} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
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
      <MemberIdentity member={row} to={paths.saasDevice(row.router_name)} compactText={compactText(row, Date.now())} />
    ),
  },
  {
    key: 'presence',
    width: '18%',
    title: '状态',
    phone: 'aside',
    cell: ({ presence }) => <PresenceCell presence={presence} type={ROUTER_TYPE.hardware} isStale={false} />,
  },
  { key: 'edition', title: '版本', width: '12%', from: 'lg', cell: (row) => editionText(row.share) },
  {
    key: 'bandwidth',
    width: '18%',
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
  { key: 'expire', title: '到期时间', width: '16%', from: 'md', cell: (row) => <ExpiryDate at={row.expire_date} /> },
]
