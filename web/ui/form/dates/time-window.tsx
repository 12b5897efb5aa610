import Button from '@douyinfe/semi-ui/lib/es/button'
import { useId, useState } from 'react'
import { DAYS, END_BEFORE_START, parseTime } from '#contract/kernel/time-range.ts'
import { DAY_MS, HOUR_MS, dateText, minuteText } from '#contract/kernel/time.ts'
import { useNow } from '#ui/hooks/use-now.ts'
import { FieldNotes } from '../field-notes.tsx'
import { Segmented } from '../segmented.tsx'
import { DayInput, toErrorProps } from './day-input.tsx'
import { MINUTE_FORMAT, readDay, readMinute, unreadableText } from './typed-day.ts'

/* Field of a range of date and time in Asia/Shanghai: presets that end now, or typed times. */

/** In epoch ms. */
export interface TimeWindow {
  readonly fromMs: number
  readonly toMs: number
}

const PRESETS = [
  { value: String(HOUR_MS), label: '近1小时' },
  { value: String(6 * HOUR_MS), label: '近6小时' },
  { value: String(DAY_MS), label: '近24小时' },
  { value: String(7 * DAY_MS), label: '近7天' },
  { value: String(30 * DAY_MS), label: '近30天' },
  { value: String(180 * DAY_MS), label: '近180天' },
] as const

/** Window of that length that ends now. */
export const lastWindow = (spanMs: number, nowMs: number): TimeWindow => ({ fromMs: nowMs - spanMs, toMs: nowMs })

interface TimeWindowFieldProps {
  readonly label: string
  readonly value: TimeWindow
  readonly onChange: (value: TimeWindow) => void
  /** Earlier times are refused, with this sentence. */
  readonly limit: { readonly spanMs: number; readonly sentence: string }
}

interface TypedTimes {
  readonly from: string
  readonly to: string
}
interface Problem {
  readonly end: keyof TypedTimes
  readonly text: string
}

const END_LABEL = { from: '开始时间', to: '结束时间' } as const

export function TimeWindowField({ label, value, onChange, limit }: TimeWindowFieldProps) {
  const id = useId()
  const [typed, setTyped] = useState<TypedTimes | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const shown = typed ?? { from: minuteText(value.fromMs), to: minuteText(value.toMs) }
  const earliestMs = useNow() - limit.spanMs

  const type = (end: keyof TypedTimes, text: string) => setTyped({ ...shown, [end]: text })
  /** On blur an end is written in full, or reports that it is unreadable. */
  const leave = (end: keyof TypedTimes) => {
    if (typed === null) return
    const text = readMinute(typed[end])
    if (text !== null && text !== typed[end]) type(end, text)
    if (text === null) setProblem({ end, text: unreadableText(END_LABEL[end], MINUTE_FORMAT) })
    else if (problem?.end === end) setProblem(null)
  }
  const apply = () => {
    const checked = checkTimes(shown, Date.now() - limit.spanMs, limit.sentence)
    if ('end' in checked) return setProblem(checked)
    setProblem(null)
    setTyped(null)
    onChange(checked)
  }
  const renderEnd = (end: keyof TypedTimes) => {
    const day = readDay(shown[end].slice(0, 10))
    return (
      <DayInput
        input={{
          'aria-label': END_LABEL[end],
          ...toErrorProps(problem?.end === end ? problem.text : undefined, id),
          value: shown[end],
          placeholder: MINUTE_FORMAT,
          onChange: (text) => type(end, text),
          onBlur: () => leave(end),
        }}
        onEnter={() => typed !== null && apply()}
        calendar={{
          label: END_LABEL[end],
          picks: 'day',
          value: day === null ? null : { from: day, to: day },
          min: Number.isFinite(earliestMs) ? dateText(earliestMs) : DAYS.first,
          max: DAYS.last,
          onPick: ({ from }) => {
            type(end, `${from} ${(readMinute(shown[end]) ?? minuteText(value[`${end}Ms`])).slice(11)}`)
            setProblem(null)
          },
        }}
      />
    )
  }
  return (
    <div className="nl-flow nl-window" role="group" aria-label={label}>
      <Segmented<string>
        label="常用范围"
        value={typed === null ? String(value.toMs - value.fromMs) : ''}
        options={PRESETS}
        onChange={(preset) => {
          setTyped(null)
          setProblem(null)
          onChange(lastWindow(Number(preset), Date.now()))
        }}
      />
      <span className="nl-window-times">
        {renderEnd('from')}
        <span aria-hidden="true">至</span>
        {renderEnd('to')}
        {typed !== null && <Button onClick={apply}>查询</Button>}
      </span>
      <FieldNotes id={id} error={problem?.text} />
    </div>
  )
}

/** Window of both texts, or the problem of the first wrong one. */
function checkTimes(typed: TypedTimes, earliestMs: number, sentence: string): TimeWindow | Problem {
  const [fromMs, toMs] = [toMillis(typed.from), toMillis(typed.to)]
  if (fromMs === null) return { end: 'from', text: unreadableText(END_LABEL.from, MINUTE_FORMAT) }
  if (toMs === null) return { end: 'to', text: unreadableText(END_LABEL.to, MINUTE_FORMAT) }
  if (fromMs >= toMs) return { end: 'to', text: END_BEFORE_START }
  return fromMs < earliestMs ? { end: 'from', text: sentence } : { fromMs, toMs }
}

const toMillis = (typed: string): number | null => parseTime(`${readMinute(typed) ?? ''}:00`, 'start')
