import Button from '@douyinfe/semi-ui/lib/es/button'
import { useState } from 'react'
import { useUser } from '#lib/session/session.ts'
import { lazyDialog } from '#ui/dialog/lazy-dialog.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { useSoftwareCount } from '../api.ts'

const SignDialog = lazyDialog(() => import('#ui/member/sign-dialog.tsx').then((m) => ({ default: m.SignDialog })))

/** The suffix of the accounts of software members. */
export function SignPanel() {
  const { sign } = useUser()
  const softwareCount = useSoftwareCount()
  const [isOpen, setOpen] = useState(false)
  return (
    <Panel
      title="软件成员账号后缀"
      actions={<Button onClick={() => setOpen(true)}>{sign === '' ? '设置后缀' : '修改后缀'}</Button>}
    >
      {sign === '' ? '未设置。设置后才能添加软件成员。' : <span className="nl-mono">@{sign}</span>}
      {isOpen && <SignDialog sign={sign} softwareCount={softwareCount} onClose={() => setOpen(false)} />}
    </Panel>
  )
}
