import Button from '@douyinfe/semi-ui/lib/es/button'
import { toast } from '#lib/toast/toast.ts'

/** Buttons of a refusal by a quota (network 5): later, or upgrade now. Buying is not possible yet. */
export function UpgradeButtons({ onClose }: { readonly onClose: () => void }) {
  return (
    <>
      <Button onClick={onClose}>暂不升级</Button>
      <Button theme="solid" type="primary" onClick={() => toast.error('暂时无法升级')}>
        立即升级
      </Button>
    </>
  )
}
