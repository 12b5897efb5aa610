import { type ReactNode, useState } from 'react'
import type { Output } from '#contract/kernel/endpoint.ts'
import { PrimaryButton } from '#ui/layout/buttons/primary-button.tsx'
import { lazyDialog } from '#ui/dialog/lazy-dialog.tsx'
import { ListPage } from '#ui/table/list-page.tsx'
import type { Column } from '#ui/table/table-column.ts'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import { useClientPage } from '#ui/table/pager/use-client-page.ts'
import { useListState } from '#ui/table/use-list-state.ts'
import { useMutes, useUnmute } from '../api.ts'
import { useMonitorRights } from '../rights.ts'
import type { monitorApi } from '#contract/monitor/index.ts'

/* List of current mutes. Muted alerts are still recorded. */

const MuteDialog = lazyDialog(() => import('./mute-dialog.tsx').then((m) => m.MuteDialog))

type MuteRow = Output<typeof monitorApi.mutes>[number]
const NONE: readonly MuteRow[] = []

export function MuteList({ inTab }: { readonly inTab: (content: ReactNode) => ReactNode }) {
  const listState = useListState({})
  const mutes = useMutes()
  const { query, list } = useClientPage(mutes.data?.data ?? NONE, listState)
  const unmute = useUnmute()
  const rights = useMonitorRights()
  const [isOpen, setOpen] = useState(false)
  const add = rights.edit && <PrimaryButton onClick={() => setOpen(true)}>添加静默</PrimaryButton>
  return (
    <ListPage
      title="监控告警"
      facts="静默期间只记录告警，不发送通知；到期仍未恢复的告警会补发"
      actions={add}
      wrap={inTab}
      label="静默"
      columns={COLUMNS}
      rowKey={(row) => String(row.mute_id)}
      rowName={(row) => row.label}
      toRowActions={(row) =>
        rights.edit && (rights.whole || row.kind !== 'all')
          ? [{ label: '取消静默', onSelect: () => void unmute.trigger({ mute_id: row.mute_id }) }]
          : []
      }
      empty={{ hint: '维护设备时可以静默成员、组网或全部告警。', action: add }}
      query={mutes.data === undefined ? mutes : query}
      list={list}
    >
      {isOpen && <MuteDialog onClose={() => setOpen(false)} />}
    </ListPage>
  )
}

const KIND_WORD = { all: '全部告警', router: '成员', network: '组网' } as const

const COLUMNS: readonly Column<MuteRow>[] = [
  { key: 'label', title: '对象', isName: true, cell: (row) => (row.kind === 'all' ? KIND_WORD.all : row.label) },
  { key: 'kind', title: '类型', cell: (row) => KIND_WORD[row.kind] },
  { key: 'until', title: '结束时间', phone: 'aside', cell: (row) => <TimeText at={row.until} /> },
  { key: 'by', title: '操作人', from: 'md', cell: (row) => row.create_by },
]
