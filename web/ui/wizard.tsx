import IconArrowLeft from '@douyinfe/semi-icons/lib/es/icons/IconArrowLeft'
import IconTick from '@douyinfe/semi-icons/lib/es/icons/IconTick'
import { type ReactNode, useEffect, useRef } from 'react'
import './text.css'
import './wizard.css'

interface WizardProps {
  readonly steps: readonly string[]
  /** Index of the step shown. */
  readonly step: number
  /** Missing on a step there is no way back from. */
  readonly onBack?: () => void
  readonly children: ReactNode
}

/** Steps that advance only on success (account 4). The focus follows to each new step. */
export function Wizard({ steps, step, onBack, children }: WizardProps) {
  const body = useRef<HTMLDivElement>(null)
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    const input = body.current?.querySelector<HTMLElement>('input:not([type="hidden"])')
    ;(input ?? body.current)?.focus()
  }, [step])

  return (
    <div className="nl-wizard">
      <ol className="nl-steps" aria-label="步骤">
        {steps.map((title, index) => (
          <li
            key={title}
            className={index < step ? 'nl-step-done' : undefined}
            {...(index === step && { 'aria-current': 'step' as const })}
          >
            <span className="nl-step-mark" aria-hidden="true">
              {index < step ? <IconTick size="small" /> : index + 1}
            </span>
            {title}
            {index < step && <span className="nl-sr">（已完成）</span>}
          </li>
        ))}
      </ol>
      <div ref={body} className="nl-wizard-body" tabIndex={-1}>
        {children}
        {onBack !== undefined && (
          <button type="button" className="nl-back" onClick={onBack}>
            <IconArrowLeft size="small" /> 返回上一步
          </button>
        )}
      </div>
    </div>
  )
}

/** The last step: what was done, and where to go from here. */
export function WizardDone({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="nl-wizard-done" role="status">
      <span className="nl-step-mark" aria-hidden="true">
        <IconTick size="extra-large" />
      </span>
      <strong>{title}</strong>
      {children}
    </div>
  )
}
