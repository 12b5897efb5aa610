import { Dialog } from '../../../ui/dialog.tsx'
import { EndOthersButton, SignInList } from '../parts/sign-in-list.tsx'

/** Of a sub-account, which has no page of its own: where it is signed in. */
export function SecurityDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="登录安全" widthPx={960} onClose={onClose} footer={<EndOthersButton />}>
      <SignInList />
    </Dialog>
  )
}
