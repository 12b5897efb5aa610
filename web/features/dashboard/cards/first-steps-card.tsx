import Button from '@douyinfe/semi-ui/lib/es/button'
import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { MINUTE_MS } from '#contract/kernel/time.ts'
import type { Overview } from '#contract/overview/index.ts'
import { stopwatchText } from '#lib/format/format-time.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { useGrants } from '#lib/session/session.ts'
import { toast } from '#lib/toast/toast.ts'
import { useNowSince } from '#ui/hooks/use-now.ts'
import { Panel } from '#ui/layout/panel.tsx'
import { Icon } from '#ui/state/state-icon.tsx'
import { useDismissSteps } from '../api.ts'
import styles from './first-steps-card.module.css'
import { type ShownStep, toRemainingSteps, toShownSteps } from './first-steps.ts'

/* Card of the first steps of a new account. */

interface FirstStepsCardProps {
  readonly overview: Pick<Overview, 'first_steps' | 'service_request' | 'awaited' | 'members'>
  /** Devices are in use already, so the remaining steps are only offers. */
  readonly isRunning: boolean
}

export function FirstStepsCard({ overview, isRunning }: FirstStepsCardProps) {
  const { first_steps: steps, awaited } = overview
  const grants = useGrants()
  const { trigger, isMutating } = useDismissSteps()
  const shown = (isRunning ? toRemainingSteps : toShownSteps)(steps, grants, {
    request: overview.service_request,
    softwareMax: overview.members.software_max,
  })
  useArrivalToast(awaited)
  if (shown.length === 0) return null
  const open = steps.filter(({ state }) => state === 'open').map(({ step }) => step)
  const done = steps.filter(({ state }) => state === 'done').length
  const set =
    grants.kind !== 'main'
      ? undefined
      : (dismissed: 0 | 1) => (step: ShownStep['step']) => void trigger({ steps: [step], dismissed }).catch(() => null)
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
          <Step
            key={step.step}
            step={step}
            awaited={step.step === 'online' && step.state === 'open' ? awaited : null}
            onSkip={set?.(1)}
            onRestore={set?.(0)}
            isBusy={isMutating}
          />
        ))}
      </ol>
    </Panel>
  )
}

/** Says that the awaited device has come, while the overview is open. */
function useArrivalToast(awaited: Overview['awaited']): void {
  const last = useRef(awaited)
  useEffect(() => {
    if (last.current !== null && awaited === null) toast.done(`“${memberLabel(last.current)}”已上线`)
    last.current = awaited
  }, [awaited])
}

const HINTS_AFTER_MS = 2 * MINUTE_MS

/** 等待上线 0:42 (waiting), and what to check once it takes long. */
function Waiting({ awaited }: { readonly awaited: NonNullable<Overview['awaited']> }) {
  const waited = useNowSince(awaited.since) - awaited.since
  return (
    <>
      <small>
        “{memberLabel(awaited)}”等待上线 <span role="timer">{stopwatchText(waited)}</span>
      </small>
      {waited >= HINTS_AFTER_MS && (
        <small role="status">
          仍未上线时请依次检查：设备通电、指示灯亮；WAN 口接好网线且能上网；DNS 能解析控制台的域名；出口放行到控制台的
          TCP 443 端口
        </small>
      )}
    </>
  )
}

interface StepProps {
  readonly awaited: Overview['awaited']
  readonly step: ShownStep
  /** Skips a step; absent if the person may not decide for the account. */
  readonly onSkip: ((step: ShownStep['step']) => void) | undefined
  readonly onRestore: ((step: ShownStep['step']) => void) | undefined
  readonly isBusy: boolean
}

const WORD = { open: '', done: '已完成', dismissed: '已跳过' } as const

function Step({
  step: { step, state, title, hint, blocked, action, isNext },
  awaited,
  onSkip,
  onRestore,
  isBusy,
}: StepProps) {
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
        {awaited === null ? <small>{hint}</small> : <Waiting awaited={awaited} />}
      </span>
      {state === 'open' && action === null && <span className="nl-muted">{blocked}</span>}
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
