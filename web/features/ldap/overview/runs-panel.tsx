import { confirm } from '#ui/dialog/confirm.tsx'
import { DataTable } from '#ui/table/data-table.tsx'
import { Icon } from '#ui/state/icon.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { RowActions } from '#ui/table/row-actions.tsx'
import type { Column } from '#ui/table/table-column.ts'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import { useLocalListState } from '#ui/table/use-list-state.ts'
import { countsText, WRITTEN } from '#domain/ldap/messages.ts'
import { outsideText } from '#domain/ldap/run.ts'
import { type RunRow, useRuns, useUndo } from '../api.ts'
import { PHASE_WORD, runWord } from '../ldap-text.ts'

/** Runs and what people did to the members; a written one can be undone for a day. */
export function RunsPanel() {
  const list = useLocalListState({})
  const query = useRuns(list)
  const undo = useUndo()
  const ask = (row: RunRow) =>
    confirm({
      title: `撤销“${runWord(row.kind)}”？`,
      body: '成员、备注、手机号、组网和地址恢复到操作之前；之后同步方式改为手动同步，以免下次同步又作同样的改动。',
      verb: '撤销',
      danger: true,
      run: () => undo.trigger({ id: row.id }),
    })
  const actions: Column<RunRow> = {
    key: 'actions',
    title: '操作',
    align: 'right',
    sticky: 'end',
    cell: (row) =>
      row.can_undo === 1 ? (
        <RowActions subject={runWord(row.kind)} actions={[{ label: '撤销', onSelect: () => void ask(row) }]} />
      ) : (
        <span className="nl-muted">—</span>
      ),
  }
  return (
    <Panel title="同步记录">
      <DataTable
        label="同步记录"
        query={query}
        columns={[...COLUMNS, actions]}
        rowKey={(row) => row.id}
        rowName={(row) => runWord(row.kind)}
        list={list}
        empty={{ title: '还没有同步记录' }}
      />
    </Panel>
  )
}

const SHOWN = {
  done: { shape: 'tick', tone: 'ok' },
  failed: { shape: 'cross', tone: 'bad' },
  asking: { shape: 'half', tone: 'warn' },
} as const

const State = ({ state }: Pick<RunRow, 'state'>) => (
  <span className="nl-status">
    <Icon {...SHOWN[state]} />
    {PHASE_WORD[state]}
  </span>
)

/** Result of a run in words; a listing writes nothing. */
const resultText = ({ kind, state, message, counts, ...row }: RunRow): string => {
  if (state === 'asking') return `将停用 ${counts.disabled}`
  const written = countsText(counts, WRITTEN)
  const removed =
    kind === 'remove' || kind === 'close' ? countsText(counts, ['removable']).replace('可移除', '移除') : ''
  const done = [written, removed, ...outsideText(row)].filter(Boolean).join('，')
  if (state === 'failed') return done === '' ? message : `${message}（已${done}）`
  return done || '没有变化'
}

const COLUMNS: readonly Column<RunRow>[] = [
  { key: 'kind', title: '操作', isName: true, cell: (row) => runWord(row.kind) },
  { key: 'state', title: '结果', cell: (row) => <State state={row.state} /> },
  { key: 'counts', title: '说明', cell: resultText },
  { key: 'actor', title: '操作人', cell: ({ actor }) => actor || '自动' },
  { key: 'end', title: '时间', cell: ({ end_time }) => <TimeText at={end_time} /> },
]
