import Button from '@douyinfe/semi-ui/lib/es/button'
import { copyWithToast } from '#lib/clipboard.ts'
import { CopyText } from '#ui/layout/text/copy-text.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Facts } from '#ui/layout/facts.tsx'

/* Dialog of a generated password of a software member, shown once: nothing can read it again. */

interface InviteDialogProps {
  readonly title: string
  readonly routerName: string
  readonly password: string
  readonly onClose: () => void
}

const inviteText = (routerName: string, password: string) =>
  `您的组网客户端账号：\n账号：${routerName}\n密码：${password}\n请在客户端登录，并妥善保管密码。`

export function InviteDialog({ title, routerName, password, onClose }: InviteDialogProps) {
  const copy = () => copyWithToast(inviteText(routerName, password))
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>关闭</Button>
          <Button theme="solid" type="primary" onClick={() => void copy()}>
            复制邀请文本
          </Button>
        </>
      }
    >
      <Facts
        facts={[
          { label: '账号', value: <CopyText text={routerName} label="复制账号" /> },
          { label: '密码', value: <CopyText text={password} label="复制密码" /> },
        ]}
      />
      <p className="nl-help">密码只显示这一次，关闭后无法再查看。</p>
    </Dialog>
  )
}
