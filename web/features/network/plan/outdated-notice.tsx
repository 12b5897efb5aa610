import Button from '@douyinfe/semi-ui/lib/es/button'
import { ERRORS } from '#contract/kernel/errors.ts'
import styles from './plan.module.css'

/** The network was saved by somebody else meanwhile: takes what they saved under the own changes. */
export function OutdatedNotice({ onTake }: { readonly onTake: () => void }) {
  return (
    <span className={styles.outdated} role="alert">
      {ERRORS.NETWORK_CHANGED.msg}。
      <Button theme="borderless" onClick={onTake}>
        合并最新成员后继续
      </Button>
    </span>
  )
}
