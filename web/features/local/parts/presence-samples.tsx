import { NO_MEMBERS, type StateCount, statesOf } from '../../../../worker/domain/health/member.ts'
import { clockText } from '../../../lib/format-time.ts'
import { MemberBar } from '../../../ui/member-bar.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { type CurvePoint, StepCurve } from '../../../ui/step-curve.tsx'
import styles from '../kit.module.css'
import { SAMPLE_NOW } from '../sample-data.ts'

const BARS: readonly (readonly [string, StateCount])[] = [
  ['没有成员', NO_MEMBERS],
  ['全部在线', { ...NO_MEMBERS, online: 40 }],
  ['各种状态', { online: 1_040, reconnecting: 20, flapping: 30, offline: 200, never: 300, disabled: 40 }],
  ['一台离线', { ...NO_MEMBERS, online: 1_999, offline: 1 }],
]
const STEP_MS = 300_000
const toPoint = (value: number, index: number): CurvePoint => ({ at: SAMPLE_NOW - (288 - index) * STEP_MS, value })
const DAY = Array.from({ length: 289 }, (_, n) => toPoint(n > 100 && n < 120 ? 12 : 40 - (n % 50 === 0 ? 3 : 0), n))
const CURVES: readonly (readonly [string, readonly CurvePoint[]])[] = [
  ['24 小时', DAY],
  ['一直没有成员', DAY.map(({ at }) => ({ at, value: 0 }))],
]
const shortTime = (at: number) => clockText(at, SAMPLE_NOW).slice(0, -3)

/** Members by state as a bar, and a number over time, also while the live channel is down. */
export function PresenceSamples() {
  return (
    <div className={styles.grid}>
      {[false, true].map((isStale) => (
        <Panel key={String(isStale)} title={isStale ? '实时通道断开时' : '成员与状态'}>
          {BARS.map(([label, count]) => (
            <p key={label}>
              {label}
              <MemberBar label={label} states={statesOf(count)} isStale={isStale} />
            </p>
          ))}
          {CURVES.map(([label, points]) => (
            <StepCurve key={label} label={label} points={points} timeText={shortTime} isStale={isStale} />
          ))}
        </Panel>
      ))}
    </div>
  )
}
