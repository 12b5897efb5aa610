import IconArrowLeft from '@douyinfe/semi-icons/lib/es/icons/IconArrowLeft'
import IconTick from '@douyinfe/semi-icons/lib/es/icons/IconTick'
import Steps from '@douyinfe/semi-ui/lib/es/steps'
import { type ReactNode, useEffect, useRef } from 'react'
import './wizard.css'

/* Frame of a wizard: step bar, way back, focus on each new step, final view. The page sets the step (account 4). */

interface WizardProps {
  readonly steps: readonly string[]
  /** Index of the shown step; past the last step all is done. */
  readonly step: number
  /** Absent on a step without a way back. */
  readonly onBack?: () => void
  /** Label of the back button; by default it names the previous step. */
  readonly backText?: string
  readonly children: ReactNode
}

export function Wizard({ steps, step, onBack, backText = '返回上一步', children }: WizardProps) {
  const body = useRef<HTMLDivElement>(null)
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    const input = body.current?.querySelector<HTMLElement>('input:not([type="hidden"])')
    ;(input ?? body.current)?.focus()
  }, [step])
  const title = steps[step]

  return (
    <div className="nl-wizard">
      {/* Semi makes every step focusable and "current", so assistive technology gets one sentence instead. */}
      <div ref={(element) => element?.setAttribute('inert', '')}>
        <Steps type="basic" size="small" current={step}>
          {steps.map((name) => (
            <Steps.Step key={name} title={name} />
          ))}
        </Steps>
      </div>
      {title !== undefined && <p className="nl-sr">{`第 ${step + 1} 步，共 ${steps.length} 步：${title}`}</p>}
      <div ref={body} className="nl-wizard-body" tabIndex={-1}>
        {children}
        {onBack !== undefined && (
          <BackButton onClick={onBack}>
            <IconArrowLeft size="small" /> {backText}
          </BackButton>
        )}
      </div>
    </div>
  )
}

export function BackButton({ onClick, children }: { readonly onClick: () => void; readonly children: ReactNode }) {
  return (
    <button type="button" className="nl-back" onClick={onClick}>
      {children}
    </button>
  )
}

export function WizardDone({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="nl-wizard-done" role="status">
      <span className="nl-wizard-tick" aria-hidden="true">
        <IconTick size="extra-large" />
      </span>
      <strong>{title}</strong>
      {children}
    </div>
  )
}
