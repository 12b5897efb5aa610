import { type ReactNode, useMemo, useState } from 'react'
import { ROUTER_TYPE, type RouterType, STATUS_POLL_MS } from '../../../../worker/contract/limits.ts'
import { routerApi } from '../../../../worker/contract/router.ts'
import { isPresent } from '../../../../worker/domain/router/presence.ts'
import { paths } from '../../../lib/paths.ts'
import type { LiveState } from '../../../lib/live.ts'
import { useCommand, useQuery, useRefresh } from '../../../lib/use-endpoint.ts'
import { DataTable } from '../../../ui/data-table.tsx'
import { FilterBar } from '../../../ui/filter-bar.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { type RowAction, RowActions } from '../../../ui/row-actions.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { useListState } from '../../../ui/use-list-state.ts'
import { askDelete } from '../dialogs/ask-delete.ts'
import { NoteDialog } from '../dialogs/note-dialog.tsx'
import { STATE_OPTIONS, stateOf } from '../member-filter.ts'
import { type PushedStates, withStates } from '../member-states.ts'
import type { MemberRights } from '../rights.ts'
import { type MemberRow } from '../router-text.ts'
import { ChannelNotice } from './channel-notice.tsx'
import { hardwareColumns, softwareColumns } from './member-columns.tsx'
import { MemberDrawer } from './member-drawer.tsx'

interface MemberListProps {
  readonly type: RouterType
  readonly rights: MemberRights
  readonly pushed: PushedStates
  readonly channel: LiveState
  /** The button that adds one, for a list that has none yet. */
  readonly add: ReactNode
}

const FILTERS = { state: '' }
const EMPTY_HINT: Readonly<Record<RouterType, string>> = {
  [ROUTER_TYPE.hardware]: '硬件成员是放在分支、厂区的路由器，凭序列号和激活码添加。',
  [ROUTER_TYPE.software]: '软件成员是客户端的登录账号，供个人终端接入组网。',
}

/** Members of one kind. Each kind has a list of its own: rows of one never stand under the columns of the other. */
export function MemberList({ type, rights, pushed, channel, add }: MemberListProps) {
  const isHardware = type === ROUTER_TYPE.hardware
  const isStale = channel === 'down'
  const list = useListState(FILTERS)
  const state = stateOf(list.filters.state, type)
  const query = useQuery(
    routerApi.lists,
    { page: list.page, search: list.search, type, state },
    { keepPrevious: true, quiet: true, pollMs: isStale ? STATUS_POLL_MS : 0 },
  )
  const data = useMemo(
    () => query.data && { ...query.data, data: isStale ? query.data.data : withStates(query.data.data, pushed) },
    [query.data, pushed, isStale],
  )
  const [noted, setNoted] = useState<MemberRow | null>(null)
  const [opened, setOpened] = useState<MemberRow | null>(null)
  const refresh = useRefresh()
  const reload = () => refresh([routerApi.lists, routerApi.quantity]) // what failed together is tried again together
  const remove = useCommand(routerApi.delete, [routerApi.lists, routerApi.quantity], { quiet: true })

  const askAndDelete = async ({ router_name, presence, network_count }: MemberRow) => {
    const isOnline = isPresent(presence.state)
    const doomed = { router_name, isHardware, isOnline, networkCount: network_count }
    if (await askDelete(doomed, () => remove.trigger({ router_name }))) setOpened(null)
  }
  const changes = (row: MemberRow): readonly RowAction[] => [
    ...(rights.edit ? [{ label: '备注', onSelect: () => setNoted(row) }] : []),
    ...(rights.delete ? [{ label: '删除', danger: true, onSelect: () => void askAndDelete(row) }] : []),
  ]
  const actionsOf = (row: MemberRow): readonly RowAction[] => [
    isHardware
      ? { label: '详情', to: paths.router(row.router_name) }
      : { label: '详情', onSelect: () => setOpened(row) },
    ...changes(row),
  ]
  // The drawer shows the row as it is now, as long as the page has it.
  const shown = opened && (data?.data.find(({ router_name }) => router_name === opened.router_name) ?? opened)

  return (
    <>
      <ChannelNotice channel={channel} isCutOff={query.error !== undefined} />
      <Panel>
        <FilterBar list={list} searchLabel={isHardware ? '搜索名称或备注' : '搜索账号、备注或手机'}>
          <Segmented
            label="在线状态"
            value={state}
            options={STATE_OPTIONS[type]}
            onChange={(next) => list.setFilter('state', next)}
          />
        </FilterBar>
        <DataTable
          label={isHardware ? '硬件成员' : '软件成员'}
          query={{ data, error: query.error, isValidating: query.isValidating, mutate: reload }}
          columns={[
            ...(isHardware ? hardwareColumns(isStale) : softwareColumns(isStale)),
            {
              key: 'actions',
              title: '操作',
              align: 'right',
              sticky: 'end',
              cell: (row) => <RowActions actions={actionsOf(row)} subject={row.router_name} />,
            },
          ]}
          rowKey={(row) => row.router_name}
          list={list}
          empty={{ hint: EMPTY_HINT[type], action: add }}
        />
        {shown !== null && (
          <MemberDrawer member={shown} isStale={isStale} actions={changes(shown)} onClose={() => setOpened(null)} />
        )}
        {noted !== null && <NoteDialog member={noted} onClose={() => setNoted(null)} />}
      </Panel>
    </>
  )
}
