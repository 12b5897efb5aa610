import Button from '@douyinfe/semi-ui/lib/es/button'
import type { ReactNode } from 'react'
import styles from './plan.module.css'

interface PlanFootProps {
  readonly submitText: string
  readonly isBusy: boolean
  readonly canSave: boolean
  readonly onCancel: () => void
  /** Sum of the plan, and why it was refused. */
  readonly children: ReactNode
}

/** Sticky at the bottom of the window. */
export function PlanFoot({ submitText, isBusy, canSave, onCancel, children }: PlanFootProps) {
  return (
    <div className={styles.foot}>
      <div className={styles.sum}>{children}</div>
      <Button disabled={isBusy} onClick={onCancel}>
        取消
      </Button>
      <Button htmlType="submit" theme="solid" type="primary" loading={isBusy} disabled={!canSave}>
        {submitText}
      </Button>
    </div>
  )
}
