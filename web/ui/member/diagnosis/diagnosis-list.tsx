import Button from '@douyinfe/semi-ui/lib/es/button'
import { useState } from 'react'
import { DIAGNOSIS_KIND_NAME } from '#contract/network/diagnosis.ts'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import { type Shape, StatusWord, type Tone } from '#ui/state/state-icon.tsx'
import { DataTable } from '#ui/table/data-table.tsx'
import { IdentityCell } from '#ui/table/identity-cell.tsx'
import type { Column } from '#ui/table/table-column.ts'
import { useLocalListState } from '#ui/table/use-list-state.ts'
import { DiagnosisSteps } from './diagnosis-steps.tsx'
import { type DiagnosisRow, useDiagnoses } from './use-diagnosis.ts'

/* Records of the diagnoses of a network (诊断记录); one that is chosen shows its steps. */

const STATE = {
  running: { shape: 'dots', tone: 'busy', word: '进行中' },
  failed: { shape: 'question', tone: 'idle', word: '未完成' },
  good: { shape: 'tick', tone: 'ok', word: '正常' },
  bad: { shape: 'cross', tone: 'bad', word: '有问题' },
} as const satisfies Record<string, { shape: Shape; tone: Tone; word: string }>

const stateOf = ({ state, verdict }: DiagnosisRow) =>
  STATE[state === 'done' ? (verdict?.ok === 1 ? 'good' : 'bad') : state]

const resultOf = ({ verdict, reason }: DiagnosisRow): string => verdict?.text ?? reason

const fromText = ({ router_name, router_name_note, source }: DiagnosisRow): string =>
  `${router_name_note || router_name}${source === '' ? '' : `（${source}）`}`

const columnsOf = (onOpen: (jobId: string) => void): readonly Column<DiagnosisRow>[] => [
  {
    key: 'target',
    title: '诊断',
    isName: true,
    wrap: true,
    cell: (row) => (
      <IdentityCell
        wraps
        name={
          <button type="button" className="nl-link" onClick={() => onOpen(row.job_id)}>
            {DIAGNOSIS_KIND_NAME[row.kind]} {row.destination}
          </button>
        }
        compactText={`从 ${fromText(row)} · ${resultOf(row)}`}
      />
    ),
  },
  { key: 'from', title: '从', from: 'md', cell: fromText },
  { key: 'state', title: '结果', phone: 'aside', cell: (row) => <StatusWord {...stateOf(row)} /> },
  { key: 'verdict', title: '结论', wrap: true, cell: (row) => resultOf(row) || '—' },
  { key: 'by', title: '发起', from: 'lg', cell: ({ by }) => by },
  { key: 'time', title: '时间', from: 'md', cell: ({ create_time }) => <TimeText at={create_time} /> },
]

export function DiagnosisList({ networkNumber }: { readonly networkNumber: string }) {
  const [jobId, setJobId] = useState<string | null>(null)
  const list = useLocalListState({})
  const query = useDiagnoses(networkNumber, list)
  if (jobId !== null)
    return (
      <>
        <Button theme="borderless" onClick={() => setJobId(null)}>
          返回诊断记录
        </Button>
        <DiagnosisSteps networkNumber={networkNumber} jobId={jobId} />
      </>
    )
  return (
    <DataTable
      label="诊断记录"
      query={query}
      columns={columnsOf(setJobId)}
      rowKey={({ job_id }) => job_id}
      rowName={(row) => `${DIAGNOSIS_KIND_NAME[row.kind]} ${row.destination}`}
      list={list}
      empty={{ title: '暂无诊断记录', hint: '诊断记录保留 30 天。' }}
    />
  )
}
