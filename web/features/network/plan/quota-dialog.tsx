import { type ErrorKey, toMessage } from '#contract/kernel/errors.ts'
import { violation } from '#contract/kernel/result.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { UpgradeButtons } from '#ui/layout/buttons/upgrade-buttons.tsx'

/* Dialog that says that a choice goes beyond a quota, such as that of members (network 5). */

interface QuotaDialogProps {
  readonly limit: number
  readonly refusal?: ErrorKey
  readonly title?: string
  readonly onClose: () => void
}

export function QuotaDialog(props: QuotaDialogProps) {
  const { limit, refusal = 'MEMBER_LIMIT_REACHED', title = '成员数量已达上限', onClose } = props
  return (
    <Dialog title={title} widthPx={440} onClose={onClose} footer={<UpgradeButtons onClose={onClose} />}>
      <p>{toMessage(violation(refusal, { limit }))}</p>
    </Dialog>
  )
}
