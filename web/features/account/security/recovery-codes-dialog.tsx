import Button from '@douyinfe/semi-ui/lib/es/button'
import { useUser } from '#lib/session/session.ts'
import { Overlay } from '#ui/dialog/overlay.tsx'
import { PanelContent } from '#ui/dialog/panel-content.tsx'
import { RecoveryCodes } from '#ui/totp/totp-setup.tsx'

interface RecoveryCodesDialogProps {
  readonly title: string
  readonly codes: readonly string[]
  readonly onClose: () => void
}

/** Dialog of recovery codes, which are shown once: a click outside does not close it. */
export function RecoveryCodesDialog({ title, codes, onClose }: RecoveryCodesDialogProps) {
  const { username } = useUser()
  const done = (
    <Button theme="solid" type="primary" onClick={onClose}>
      已保存
    </Button>
  )
  return (
    <Overlay kind="dialog" title={title} widthPx={480} onClose={onClose}>
      <PanelContent footer={done}>
        <RecoveryCodes codes={codes} username={username} />
      </PanelContent>
    </Overlay>
  )
}
