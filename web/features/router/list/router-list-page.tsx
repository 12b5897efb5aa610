import { type ComponentProps, type ReactNode, useEffect, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { ROUTER_ERRORS } from '#contract/router/errors.ts'
import { ROUTER_TYPE, type RouterType } from '#contract/router/limits.ts'
import type { RouterSort } from '#contract/router/routers.ts'
import { isOnline, sumStates } from '#domain/health/member.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { useAccountLive } from '#lib/live/account-live.tsx'
import { usePresenceRefresh } from '#lib/live/use-presence-refresh.ts'
import { paths } from '#lib/paths.ts'
import { useLatest } from '#lib/use-latest.ts'
import { CountChips } from '#ui/chart/bars/count-chips.tsx'
import { lazyDialog } from '#ui/dialog/lazy-dialog.tsx'
import { Tabs } from '#ui/layout/tabs.tsx'
import { ChannelNotice } from '#ui/state/connection-notice.tsx'
import { ListPage } from '#ui/table/list-page.tsx'
import type { RowAction } from '#ui/table/row-actions.tsx'
import { useListState } from '#ui/table/use-list-state.ts'
import {
  type RouterQuery,
  useDeleteRouter,
  useRefreshRouters,
  useRouterPaths,
  useRouterQuantity,
  useRouters,
} from '../api.ts'
import {
  addStates,
  isInState,
  NOTHING_PUSHED,
  stateChips,
  toMemberState,
  toRouterType,
  withStates,
} from '../member-states.ts'
import { useRowVerbs } from '../members/use-row-verbs.tsx'
import { type MemberRights, useMemberRights } from '../rights.ts'
import type { RouterRow } from '../router-text.ts'
import { useBulkActions } from './batch/use-bulk-actions.tsx'
import { confirmDelete } from './confirm-delete.ts'
import { AddButton, ListActions, listStates, MemberCounts, type Quantity } from './list-head.tsx'
import { hardwareColumns, softwareColumns } from './member-columns.tsx'
import { MemberDrawer } from './member-drawer.tsx'
import { DialogProvider, useOpenDialog } from './router-list-context.ts'
import { statusAction, useSetStatus } from './use-set-status.ts'

/* Page of the list of members: hardware and software members, each kind a list of its own (network 2). */

const TABS = [
  { value: '1', label: '硬件成员' },
  { value: '2', label: '软件成员' },
] as const

/** Each form is a separate chunk, because few visitors open it. */
const DIALOGS: ComponentProps<typeof DialogProvider>['table'] = {
  claim: lazyDialog(() => import('./claim-dialog.tsx').then((m) => m.ClaimDialog)),
  claimMany: lazyDialog(() => import('./batch/claim-many-dialog.tsx').then((m) => m.ClaimManyDialog)),
  software: lazyDialog(() => import('./software-dialog.tsx').then((m) => m.SoftwareDialog)),
  batch: lazyDialog(() => import('./batch/batch-add-dialog.tsx').then((m) => m.BatchAddDialog)),
  sign: lazyDialog(() => import('#ui/member/account-suffix-dialog.tsx').then((m) => m.SignDialog)),
}

export function RouterListPage() {
  const [query, setQuery] = useSearchParams()
  const type = toRouterType(query.get('type'))
  const rights = useMemberRights()
  const channel = useAccountLive(() => {})
  const quantity = useRouterQuantity(channel === 'down')
  const { sign = '', software: softwareCount = 0 } = quantity.data?.data ?? {}
  const inTab = (list: ReactNode) => (
    <Tabs
      label="成员类型"
      value={type === ROUTER_TYPE.hardware ? '1' : '2'}
      options={TABS}
      onChange={(next) => setQuery(next === '1' ? {} : { type: next })}
    >
      {list}
    </Tabs>
  )
  return (
    <DialogProvider
      table={DIALOGS}
      props={{ sign, softwareCount, canEditSign: rights.editSign, addsIntoNetwork: rights.addsIntoNetwork }}
    >
      <RouterList type={type} rights={rights} quantity={quantity} inTab={inTab} />
    </DialogProvider>
  )
}

interface RouterListProps {
  readonly type: RouterType
  readonly rights: MemberRights
  readonly quantity: ReturnType<typeof useRouterQuantity>
  readonly inTab: (list: ReactNode) => ReactNode
}

/** Orders of the list; it opens by severity. */
const SORTS: readonly RouterSort[] = ['state', 'created', 'name', 'config', 'networks', 'seen']

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

/** Without the right to edit members, phones are masked and not searched. */
const toSearchLabel = (type: RouterType, { edit }: MemberRights): string =>
  type === ROUTER_TYPE.hardware || edit ? TEXT[type].search : '搜索账号或备注'

function RouterList({ type, rights, quantity, inTab }: RouterListProps) {
  const isHardware = type === ROUTER_TYPE.hardware
  const text = TEXT[type]
  const list = useListState({ state: '' }, SORTS)
  const { page, limit, search, sort, order } = list
  const state = toMemberState(list.filters.state, type)
  const { query, isStale, memberPaths, outdated } = useRouterRows({ page, limit, search, sort, order, type, state })
  const { selection, report, openDelete } = useBulkActions(type, rights)
  // Counts by state. Without a search both sources count the same, and `quantity` is newer.
  const counts = search === '' ? listStates(type, quantity.data?.data) : query.data?.states
  const open = useOpenDialog()
  useClaimOnArrival(rights.add)
  const [opened, setOpened] = useState<RouterRow | null>(null)
  const remove = useDeleteRouter()

  const deleteRow = async ({ router_name, note, presence, network_count }: RouterRow) => {
    const target = { router_name, note, isHardware, isOnline: isOnline(presence), networkCount: network_count }
    if (await confirmDelete(target, (sent) => remove.trigger({ router_name, ...sent }))) setOpened(null)
  }
  const setStatus = useSetStatus()
  const { records, changes, dialog } = useRowVerbs(rights, isHardware, deleteRow)
  const add: RowAction = {
    label: text.add,
    blocked: isHardware ? null : softwareBlocked(quantity.data?.data),
    onSelect: () => open(isHardware ? 'claim' : 'software'),
  }
  // The drawer shows the newest row while the page has it.
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
      searchLabel={toSearchLabel(type, rights)}
      views="router"
      filters={
        <CountChips
          label="在线状态"
          value={state}
          total={counts && sumStates(counts)}
          chips={stateChips(type, counts)}
          onChange={(chosen) => list.setFilter('state', chosen)}
        />
      }
      empty={{ hint: text.hint, action: rights.add && <AddButton action={add} /> }}
    >
      {shown !== null && (
        <MemberDrawer
          member={shown}
          isStale={isStale}
          canEdit={rights.edit}
          actions={[...records(shown), ...(rights.edit ? [statusAction(shown, setStatus)] : []), ...changes(shown)]}
          onClose={() => setOpened(null)}
        />
      )}
      {report}
      {dialog}
    </ListPage>
  )
}

/** Opens the claim of a device for an address that asks for it, once. */
function useClaimOnArrival(mayClaim: boolean): void {
  const [query, setQuery] = useSearchParams()
  const open = useOpenDialog()
  const isAsked = query.has('claim')
  const arrive = useLatest(() => {
    open('claim')
    setQuery(
      (now) => {
        now.delete('claim')
        return now
      },
      { replace: true },
    )
  })
  useEffect(() => {
    if (isAsked && mayClaim) arrive.current()
  }, [isAsked, mayClaim, arrive])
}

/** Reason why no software member can be added, by the quota. The dialog handles a missing suffix. */
function softwareBlocked(quantity: Quantity | undefined): string | null {
  if (quantity === undefined) return '成员数量尚未读取，请稍候或刷新页面'
  if (quantity.software < quantity.software_max) return null
  return ROUTER_ERRORS.SOFTWARE_LIMIT_REACHED.msg.replace('{limit}', String(quantity.software_max))
}

const COUNTS_MS = 2_000

/** Rows of one kind as last read, with the states pushed since. */
function useRouterRows(view: RouterQuery) {
  const [pushed, setPushed] = useState(NOTHING_PUSHED)
  const refresh = useRefreshRouters()
  const channel = usePresenceRefresh({
    everyMs: COUNTS_MS,
    read: refresh.counts,
    onStates: (states) => setPushed((now) => addStates(now, states)),
    onMissed: () => {
      setPushed(NOTHING_PUSHED)
      refresh.lists()
    },
  })
  const isStale = channel === 'down'
  const { data, error, isValidating } = useRouters(view, isStale)
  const rows = useMemo(
    () => data && { ...data, data: isStale ? data.data : withStates(data.data, pushed) },
    [data, pushed, isStale],
  )
  const hardware = rows?.data.filter(({ router_type }) => router_type === ROUTER_TYPE.hardware) ?? []
  const memberPaths = useRouterPaths(
    hardware.map(({ router_name }) => router_name),
    isStale,
  )
  // Rows of the earlier filter stay while a page loads, so none of them counts as outdated.
  const outdated = isValidating
    ? []
    : (rows?.data.filter((row) => !isInState(withPaths(row, memberPaths), view.state)) ?? [])
  // A retry reads rows and counts, because they usually fail together.
  return {
    isStale,
    memberPaths,
    outdated: outdated.length,
    query: { data: rows, error, isValidating, mutate: refresh.lists },
  }
}

/** Row with the newest answer to the question if only one of its paths is up. */
function withPaths(row: RouterRow, paths: ReturnType<typeof useRouterPaths>): RouterRow {
  const own = paths?.[row.router_name]
  return own ? { ...row, single_center: own.single_center } : row
}
