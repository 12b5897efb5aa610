import Button from '@douyinfe/semi-ui/lib/es/button'
import { type ReactNode, useState } from 'react'
import { COPIED, COPY_FAILED, copyText } from '#lib/clipboard.ts'
import { saveFile } from '#lib/call/save-file.ts'
import { Notice } from '#ui/state/notice.tsx'
import styles from './totp.module.css'

interface RecoveryCodesProps {
  readonly codes: readonly string[]
  /** The sign-in name, which the file names. */
  readonly username: string
  /** The button that goes on, where they are no dialog. */
  readonly children?: ReactNode
}

/** Shown once: they can be copied, or saved as a text file. */
export function RecoveryCodes({ codes, username, children }: RecoveryCodesProps) {
  const [copied, setCopied] = useState('')
  const copy = async () => setCopied((await copyText(codes.join('\n'))) ? COPIED : COPY_FAILED)
  const save = () => {
    const lines = [`账号 ${username} 的两步验证恢复码，每个只能使用一次：`, '', ...codes, '']
    saveFile({ name: `恢复码-${username}.txt`, content: new Blob([lines.join('\r\n')], { type: 'text/plain' }) })
  }
  return (
    <div className={styles.codes}>
      <Notice tone="warn" role="status">
        恢复码只显示这一次。手机丢失时，可用恢复码代替动态验证码登录，每个只能使用一次，请妥善保存。
      </Notice>
      <ul aria-label="恢复码">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={styles.actions}>
        <Button onClick={() => void copy()}>复制恢复码</Button>
        <Button onClick={save}>下载为文本</Button>
        <span role="status" className="nl-muted">
          {copied}
        </span>
      </div>
      {children}
    </div>
  )
}
