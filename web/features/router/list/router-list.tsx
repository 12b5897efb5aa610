import { type ReactNode, useState } from 'react'
import { ROUTER_ERRORS } from '#contract/router/errors.ts'
import { ROUTER_SORTS } from '#contract/router/routers.ts'
import { isOnline } from '#domain/health/member.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { paths } from '#lib/paths.ts'
import { ChannelNotice } from '#ui/state/connection-notice.tsx'
import { ListPage } from '#ui/table/list-page.tsx'
import type { RowAction } from '#ui/table/row-actions.tsx'
import { useListState, type ListState } from '#ui/table/use-list-state.ts'
import { useDeleteRouter, type useRouterQuantity } from '../api.ts'
import { confirmDelete } from './confirm-delete.ts'
import { statusAction, useSetStatus } from './use-set-status.ts'
import { useOpenDialog } from './router-list-context.ts'
import { toMemberState, type MemberState, type StateCounts, stateChips, totalOf } from './member-filter.ts'
import type { MemberRights } from '../rights.ts'
import type { RouterRow } from '../router-text.ts'
import { useRouterRows } from './use-router-rows.ts'
import { useRowVerbs } from './use-row-verbs.ts'
import { useBulkActions } from './batch/use-bulk-actions.tsx'
import { AddButton, ListActions } from './list-actions.tsx'
import { hardwareColumns, softwareColumns } from './member-columns.tsx'
import { MemberCounts, type Quantity, listStates } from './member-counts.tsx'
import { MemberDrawer } from './member-drawer.tsx'
import { ROUTER_TYPE, type RouterType } from '#contract/router/limits.ts'
import { CountChips } from '#ui/chart/bars/count-chips.tsx'

interface RouterListProps {
  readonly type: RouterType
  readonly rights: MemberRights
  readonly quantity: ReturnType<typeof useRouterQuantity>
  /** Wraps the table in the tab of this kind. */
  readonly inTab: (list: ReactNode) => ReactNode
}

const TEXT = {
  [ROUTER_TYPE.hardware]: {
    label: '硬件成员',
    add: '添加硬件成员',
    search: '搜索序列号或备注',
    hint: '硬件成员是放在分支、厂区的路由器，凭序列号和激活码添加。',
  },
  [ROUTER_TYPE.software]: {
    label: '软件成员',
    add: '添加软件成员',
    search: '搜索账号、备注或手机',
    hint: '软件成员是客户端的登录账号，供个人终端接入组网。',
  },
} as const satisfies Record<RouterType, object>

export function RouterList({ type, rights, quantity, inTab }: RouterListProps) {
  const isHardware = type === ROUTER_TYPE.hardware
  const text = TEXT[type]
  const list = useListState({ state: '' }, ROUTER_SORTS)
  const { page, limit, search, sort, order } = list
  const state = toMemberState(list.filters.state, type)
  const {
    query,
    isStale,
    paths: memberPaths,
    outdated,
  } = useRouterRows({ page, limit, search, sort, order, type, state })
  const { selection, report, openDelete } = useBulkActions(type, rights)
  // Counts by state. Without a search both sources count the same, and the quantity is the newer.
  const counts = search === '' ? listStates(type, quantity.data?.data) : query.data?.states
  const open = useOpenDialog()
  const [opened, setOpened] = useState<RouterRow | null>(null)
  const remove = useDeleteRouter()

  const deleteRow = async ({ router_name, presence, network_count }: RouterRow) => {
    const target = { router_name, isHardware, isOnline: isOnline(presence), networkCount: network_count }
    if (await confirmDelete(target, (sent) => remove.trigger({ router_name, ...sent }))) setOpened(null)
  }
  const setStatus = useSetStatus()
  const { records, changes, dialog } = useRowVerbs(rights, isHardware, deleteRow)
  const add: RowAction = {
    label: text.add,
    blocked: isHardware ? null : softwareBlocked(quantity.data?.data),
    onSelect: () => open(isHardware ? 'claim' : 'software'),
  }
  // The drawer follows its row while that is on the page.
  const shown =
    opened?.router_type === type
      ? (query.data?.data.find(({ router_name }) => router_name === opened.router_name) ?? opened)
      : null
  return (
    <ListPage
      title="成员列表"
      facts={<MemberCounts type={type} query={quantity} canEditSign={rights.editSign} />}
      actions={<ListActions {...{ rights, isHardware, add }} onDelete={openDelete} />}
      wrap={inTab}
      above={<ChannelNotice isDown={isStale} isPolled={query.error === undefined} />}
      list={list}
      query={query}
      label={text.label}
      columns={isHardware ? hardwareColumns(isStale, memberPaths) : softwareColumns(isStale, setOpened)}
      rowKey={(row) => row.router_name}
      rowName={memberLabel}
      outdated={outdated}
      selection={selection}
      toRowActions={(row) => [
        isHardware
          ? { label: '详情', to: paths.router(row.router_name) }
          : { label: '详情', onSelect: () => setOpened(row) },
        ...changes(row),
      ]}
      searchLabel={text.search}
      filters={<StateFilter list={list} type={type} chosen={state} counts={counts} />}
      empty={{ hint: text.hint, action: rights.add && <AddButton action={add} /> }}
    >
      {shown !== null && (
        <MemberDrawer
          member={shown}
          isStale={isStale}
          actions={[...records(shown), ...(rights.edit ? [statusAction(shown, setStatus)] : []), ...changes(shown)]}
          onClose={() => setOpened(null)}
        />
      )}
      {report}
      {dialog}
    </ListPage>
  )
}

/** Checks the quota before the server does; a missing suffix is handled inside the dialog. */
function softwareBlocked(quantity: Quantity | undefined): string | null {
  if (quantity === undefined) return '成员数量尚未读取，请稍候或刷新页面'
  if (quantity.software < quantity.software_max) return null
  return ROUTER_ERRORS.SOFTWARE_LIMIT_REACHED.msg.replace('{limit}', String(quantity.software_max))
}

interface StateFilterProps {
  readonly list: ListState<'state'>
  readonly type: RouterType
  readonly chosen: MemberState
  readonly counts: StateCounts | undefined
}

/** Filter by state, with counts. */
function StateFilter({ list, type, chosen, counts }: StateFilterProps) {
  return (
    <CountChips
      label="在线状态"
      value={chosen}
      total={totalOf(counts)}
      chips={stateChips(type, counts)}
      onChange={(state) => list.setFilter('state', state)}
    />
  )
}
