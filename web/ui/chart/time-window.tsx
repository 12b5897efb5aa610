import Button from '@douyinfe/semi-ui/lib/es/button'
import { useState } from 'react'
import { END_BEFORE_START, parseTime } from '#contract/kernel/time-range.ts'
import { timeText } from '#lib/format/format-time.ts'
import { Segmented } from '#ui/form/segmented.tsx'
import './time-window.css'

/** Epoch ms. */
export interface TimeWindow {
  readonly fromMs: number
  readonly toMs: number
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
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
  /** Earlier times are refused with this sentence. */
  readonly limit: { readonly spanMs: number; readonly sentence: string }
}

/** A range of date and time in Asia/Shanghai: presets that end now, and any other. */
export function TimeWindowField({ label, value, onChange, limit }: TimeWindowFieldProps) {
  const [typed, setTyped] = useState<{ readonly from: string; readonly to: string } | null>(null)
  const shown = typed ?? { from: toInput(value.fromMs), to: toInput(value.toMs) }
  const [problem, setProblem] = useState<string | null>(null)
  const spanMs = String(value.toMs - value.fromMs)
  const apply = () => {
    const [fromMs, toMs] = [fromInput(shown.from), fromInput(shown.to)]
    const found =
      fromMs === null || toMs === null
        ? '时间不正确，请重新选择'
        : fromMs >= toMs
          ? END_BEFORE_START
          : fromMs < Date.now() - limit.spanMs
            ? limit.sentence
            : null
    setProblem(found)
    if (found !== null || fromMs === null || toMs === null) return
    setTyped(null)
    onChange({ fromMs, toMs })
  }
  return (
    <div className="nl-window" role="group" aria-label={label}>
      <Segmented<string>
        label="常用范围"
        value={typed === null ? spanMs : ''}
        options={PRESETS}
        onChange={(preset) => {
          setTyped(null)
          setProblem(null)
          onChange(lastWindow(Number(preset), Date.now()))
        }}
      />
      <span className="nl-window-times">
        <input
          type="datetime-local"
          aria-label="开始时间"
          value={shown.from}
          onChange={({ target }) => setTyped({ ...shown, from: target.value })}
        />
        <span aria-hidden="true">至</span>
        <input
          type="datetime-local"
          aria-label="结束时间"
          value={shown.to}
          onChange={({ target }) => setTyped({ ...shown, to: target.value })}
        />
        {typed !== null && <Button onClick={apply}>查询</Button>}
      </span>
      {problem !== null && (
        <span className="nl-window-problem" role="alert">
          {problem}
        </span>
      )}
    </div>
  )
}

/** `2026-01-31T08:00` in Asia/Shanghai. */
const toInput = (atMs: number): string => timeText(atMs).slice(0, 16).replace(' ', 'T')
const fromInput = (text: string): number | null => parseTime(`${text.slice(0, 16).replace('T', ' ')}:00`, 'start')
