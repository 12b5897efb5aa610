import Button from '@douyinfe/semi-ui/lib/es/button'
import { toMessage } from '../../../../worker/contract/errors.ts'
import { violation } from '../../../../worker/contract/result.ts'
import { toast } from '../../../lib/toast.ts'
import { Dialog } from '../../../ui/dialog.tsx'

interface QuotaDialogProps {
  readonly limit: number
  readonly onClose: () => void
}

/** Shown when members exceed the quota (network 5). The upgrade button is disabled: buying is not possible yet. */
export function QuotaDialog({ limit, onClose }: QuotaDialogProps) {
  return (
    <Dialog
      title="成员数量已达上限"
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
      <p>{toMessage(violation('MEMBER_LIMIT_REACHED', { limit }))}</p>
    </Dialog>
  )
}
