import Button from '@douyinfe/semi-ui/lib/es/button'
import { useNavigate } from 'react-router'
import type { FirstStepState } from '#contract/overview/index.ts'
import { useGrants } from '#lib/session/session.ts'
import { Panel } from '#ui/layout/panel.tsx'
import { Icon } from '#ui/state/state-icon.tsx'
import { useDismissSteps } from '../api.ts'
import styles from './first-steps-card.module.css'
import { type ShownStep, toRemainingSteps, toShownSteps } from './first-steps.ts'

/* Card of the first steps of a new account. */

interface FirstStepsCardProps {
  readonly steps: readonly FirstStepState[]
  /** Devices are in use already, so the remaining steps are only offers. */
  readonly isRunning: boolean
}

export function FirstStepsCard({ steps, isRunning }: FirstStepsCardProps) {
  const grants = useGrants()
  const { trigger, isMutating } = useDismissSteps()
  const shown = isRunning ? toRemainingSteps(steps, grants) : toShownSteps(steps, grants)
  if (shown.length === 0) return null
  const open = steps.filter(({ state }) => state === 'open').map(({ step }) => step)
  const done = steps.filter(({ state }) => state === 'done').length
  const set =
    grants.kind !== 'main'
      ? undefined
      : (dismissed: 0 | 1) => (step: FirstStepState['step']) =>
          void trigger({ steps: [step], dismissed }).catch(() => null)
  return (
    <Panel
      title={isRunning ? '接下来可以做' : `开始使用（已完成 ${done}/${steps.length}）`}
      actions={
        set && (
          <Button
            theme="borderless"
            size="small"
            disabled={isMutating}
            onClick={() => void trigger({ steps: open }).catch(() => null)}
          >
            不再显示
          </Button>
        )
      }
    >
      <ol className="nl-lined">
        {shown.map((step) => (
          <Step key={step.step} step={step} onSkip={set?.(1)} onRestore={set?.(0)} isBusy={isMutating} />
        ))}
      </ol>
    </Panel>
  )
}

interface StepProps {
  readonly step: ShownStep
  /** Skips a step; absent if the person may not decide for the account. */
  readonly onSkip: ((step: ShownStep['step']) => void) | undefined
  readonly onRestore: ((step: ShownStep['step']) => void) | undefined
  readonly isBusy: boolean
}

const WORD = { open: '', done: '已完成', dismissed: '已跳过' } as const

function Step({ step: { step, state, title, hint, action, isNext }, onSkip, onRestore, isBusy }: StepProps) {
  const navigate = useNavigate()
  return (
    <li className={styles.step} data-state={state} aria-current={isNext ? 'step' : undefined}>
      <Icon
        shape={state === 'done' ? 'tick' : state === 'dismissed' ? 'dash' : 'dashed'}
        tone={state === 'done' ? 'ok' : 'idle'}
      />
      <span className={styles.text}>
        <strong>{title}</strong>
        {state !== 'open' && <span className="nl-sr">{WORD[state]}</span>}
        <small>{hint}</small>
      </span>
      {state === 'open' && action === null && <span className="nl-muted">当前角色没有权限，请联系主账号</span>}
      {action && (
        <Button theme={isNext ? 'solid' : 'light'} onClick={() => void navigate(action.to)}>
          {action.label}
        </Button>
      )}
      {state === 'open' && onSkip && (
        <Button theme="borderless" disabled={isBusy} aria-label={`跳过${title}`} onClick={() => onSkip(step)}>
          跳过
        </Button>
      )}
      {state === 'dismissed' && onRestore && (
        <Button theme="borderless" disabled={isBusy} aria-label={`恢复${title}`} onClick={() => onRestore(step)}>
          恢复
        </Button>
      )}
    </li>
  )
}
