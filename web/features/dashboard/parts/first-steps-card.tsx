import { useNavigate } from 'react-router'
import { ActionButton } from '../../../ui/action-button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Panel } from '../../../ui/panel.tsx'
import type { FirstStep } from '../first-steps.ts'
import styles from './first-steps-card.module.css'

/** What a new customer does first, the next step as the one primary button. */
export function FirstStepsCard({ steps }: { readonly steps: readonly FirstStep[] }) {
  return (
    <Panel title="开始使用">
      <ol className={styles.steps}>
        {steps.map((step) => (
          <Step key={step.title} step={step} />
        ))}
      </ol>
    </Panel>
  )
}

function Step({ step: { title, hint, isDone, action } }: { readonly step: FirstStep }) {
  const navigate = useNavigate()
  return (
    <li className={styles.step} aria-current={action !== undefined ? 'step' : undefined}>
      <Icon shape={isDone ? 'tick' : 'dashed'} tone={isDone ? 'ok' : 'idle'} />
      <span className={styles.text}>
        <strong>{title}</strong>
        {isDone && <span className="nl-sr">已完成</span>}
        <small>{hint}</small>
      </span>
      {action === null && <span className="nl-muted">当前角色没有权限，请联系主账号</span>}
      {action && (
        <ActionButton theme="solid" type="primary" onClick={() => void navigate(action.to)}>
          {action.label}
        </ActionButton>
      )}
    </li>
  )
}
