import { countText } from '#lib/format/format-unit.ts'
import './run-progress.css'
import './status.css'

/* Progress of a run on the server that the page polls: its phase in words, and a bar. */

interface RunProgressProps {
  /** Name of the run, such as 目录同步. */
  readonly label: string
  /** Current phase, such as 正在读取目录用户. */
  readonly phase: string
  readonly done: number
  /** 0 while unknown: the bar moves to and fro. */
  readonly total: number
  readonly unit: string
}

export function RunProgress({ label, phase, done, total, unit }: RunProgressProps) {
  const isKnown = total > 0
  const far = isKnown ? `${countText(done)} / ${countText(total)} ${unit}` : `${countText(done)} ${unit}`
  return (
    <div className="nl-run">
      <p role="status">
        <span>{phase}</span>
        {(isKnown || done > 0) && <span className="nl-muted">{far}</span>}
      </p>
      <div
        className="nl-track nl-run-bar nl-tone-accent"
        role="progressbar"
        aria-label={label}
        {...(isKnown && { 'aria-valuemin': 0, 'aria-valuemax': total, 'aria-valuenow': Math.min(done, total) })}
      >
        <span
          {...(isKnown ? { style: { width: `${Math.min(100, (done / total) * 100)}%` } } : { 'data-unknown': '' })}
        />
      </div>
    </div>
  )
}
