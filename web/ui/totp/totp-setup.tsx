import Button from '@douyinfe/semi-ui/lib/es/button'
import { type ReactNode, useEffect, useState } from 'react'
import { saveFile } from '#lib/call/save-file.ts'
import { COPIED, COPY_FAILED, copyText } from '#lib/clipboard.ts'
import { useLatest } from '#lib/use-latest.ts'
import { CopyText } from '#ui/layout/text/copy-text.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { Skeleton } from '#ui/state/skeleton.tsx'
import { ErrorState } from '#ui/state/page-states.tsx'
import styles from './totp.module.css'

/* Set-up of an authenticator (TOTP): QR code, secret, and recovery codes. */

export interface Setup {
  readonly secret: string
  readonly uri: string
  readonly setup: string
}

/** QR code as an image; the library loads with the first one. If it fails, the text beside it is enough. */
function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const [svg, setSvg] = useState('')
  useEffect(() => {
    let isShown = true
    import('uqr').then(
      ({ renderSVG }) => isShown && setSvg(renderSVG(text, { ecc: 'M', border: 4 })),
      () => null,
    )
    return () => {
      isShown = false
    }
  }, [text])
  if (svg === '') return <span className={styles.qr} aria-hidden="true" />
  return <img className={styles.qr} alt={label} src={`data:image/svg+xml,${encodeURIComponent(svg)}`} />
}

export function TotpSetup({ load, children }: { load: () => Promise<Setup>; children: (setup: string) => ReactNode }) {
  const [tries, setTries] = useState(1)
  const [state, setState] = useState<{ readonly setup?: Setup; readonly error?: unknown }>({})
  const latest = useLatest(load)
  useEffect(() => {
    let isShown = true
    latest.current().then(
      (setup) => isShown && setState({ setup }),
      (error: unknown) => isShown && setState({ error }),
    )
    return () => {
      isShown = false
    }
  }, [latest, tries])
  const retry = () => {
    setState({})
    setTries(tries + 1)
  }
  if (state.error !== undefined) return <ErrorState error={state.error} onRetry={retry} />
  if (state.setup === undefined) return <Skeleton lines={5} />
  const { secret, uri, setup } = state.setup
  return (
    <div className={styles.setup}>
      <p>在手机上打开身份验证器（如 Google Authenticator、Microsoft Authenticator），扫描二维码：</p>
      <QrCode text={uri} label="两步验证的二维码，无法扫描时请在身份验证器中输入下面的密钥" />
      <p>无法扫描时，请手动输入密钥（基于时间，6 位）：</p>
      <div className={styles.secret}>
        <CopyText text={secret} label="复制密钥" />
      </div>
      {children(setup)}
    </div>
  )
}

interface RecoveryCodesProps {
  readonly codes: readonly string[]
  /** Sign-in name, used in the file name. */
  readonly username: string
  /** Button to continue, outside of a dialog. */
  readonly children?: ReactNode
}

/** Recovery codes, shown once: they can be copied, or saved as a text file. */
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
