import { DIAGNOSIS_KIND_NAME, type DiagnosisStep } from '#contract/network/diagnosis.ts'
import { rttText } from '#lib/format/format-unit.ts'
import { Facts } from '#ui/layout/facts.tsx'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { type Shape, StatusWord, type Tone } from '#ui/state/state-icon.tsx'
import { type DiagnosisRecord, useDiagnosis } from './use-diagnosis.ts'
import './diagnosis.css'

/* Steps of a diagnosis, live while it runs, and its verdict. */

interface DiagnosisStepsProps {
  readonly networkNumber: string
  readonly jobId: string
}

export function DiagnosisSteps({ networkNumber, jobId }: DiagnosisStepsProps) {
  const query = useDiagnosis(networkNumber, jobId)
  const record = query.data?.data
  if (record === undefined) return <Loading query={query} lines={4} />
  return (
    <div className="nl-diagnosis">
      <Facts facts={factsOf(record)} />
      <ol className="nl-diagnosis-steps" aria-label="诊断步骤">
        {record.steps.map((step, index) => (
          <li key={`${index} ${step.router_name}`}>
            <Step step={step} />
          </li>
        ))}
      </ol>
      <Verdict record={record} />
    </div>
  )
}

function factsOf({ kind, router_name, router_name_note, source, destination, by, create_time }: DiagnosisRecord) {
  return [
    { label: '方式', value: DIAGNOSIS_KIND_NAME[kind] },
    { label: '从', value: router_name_note || router_name },
    ...(source === '' ? [] : [{ label: '源地址', value: <span className="nl-mono">{source}</span> }]),
    { label: '到', value: <span className="nl-mono">{destination}</span> },
    { label: '发起', value: by },
    { label: '时间', value: <TimeText at={create_time} /> },
  ]
}

const ICON = {
  0: { shape: 'cross', tone: 'bad', word: '不一致' },
  1: { shape: 'tick', tone: 'ok', word: '一致' },
} as const satisfies Record<0 | 1, { shape: Shape; tone: Tone; word: string }>

/** An expectation and what the router answered, with the evidence; a hop of a traceroute has its delay alone. */
function Step({ step: { label, intended, actual, evidence, ok, rtt_ms } }: { readonly step: DiagnosisStep }) {
  return (
    <>
      <span className="nl-diagnosis-head">
        <strong>{label}</strong>
        {ok === null ? rtt_ms !== null && <span>{rttText(rtt_ms)}</span> : <StatusWord {...ICON[ok]} />}
      </span>
      {intended !== '' && <span>配置：{intended}</span>}
      {actual !== '' && actual !== label && <span>{intended === '' ? actual : `实际：${actual}`}</span>}
      {ok !== null && rtt_ms !== null && <span>平均 {rttText(rtt_ms)}</span>}
      {evidence !== '' && <span className="nl-muted">{evidence}</span>}
    </>
  )
}

function Verdict({ record: { state, reason, verdict } }: { readonly record: DiagnosisRecord }) {
  if (state === 'running') return <Notice role="status">正在诊断…关闭后可在诊断记录中查看结果</Notice>
  if (state === 'failed' || verdict === null)
    return (
      <Notice tone="warn" role="status">
        诊断未完成：{reason}
      </Notice>
    )
  return (
    <Notice tone={verdict.ok === 1 ? 'accent' : 'warn'} role="status">
      {verdict.text}
    </Notice>
  )
}
