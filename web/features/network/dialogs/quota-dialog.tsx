import Button from '@douyinfe/semi-ui/lib/es/button'
import { type ErrorKey, toMessage } from '../../../../worker/contract/errors.ts'
import { violation } from '../../../../worker/contract/result.ts'
import { toast } from '../../../lib/toast.ts'
import { Dialog } from '../../../ui/dialog.tsx'

interface QuotaDialogProps {
  readonly limit: number
  /** What is used up: the refusal that says so. */
  readonly refusal?: ErrorKey
  readonly title?: string
  readonly onClose: () => void
}

/** Shown when a quota refuses, such as that of members (network 5). The upgrade button is disabled: buying is not possible yet. */
export function QuotaDialog(props: QuotaDialogProps) {
  const { limit, refusal = 'MEMBER_LIMIT_REACHED', title = '成员数量已达上限', onClose } = props
  return (
    <Dialog
      title={title}
      widthPx={440}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>暂不升级</Button>
          <Button theme="solid" type="primary" onClick={() => toast.error('暂时无法升级')}>
            立即升级
          </Button>
        </>
      }
    >
      <p>{toMessage(violation(refusal, { limit }))}</p>
    </Dialog>
  )
}
