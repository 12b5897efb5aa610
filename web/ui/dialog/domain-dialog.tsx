import Button from '@douyinfe/semi-ui/lib/es/button'
import { useState } from 'react'
import { CopyText } from '#ui/layout/text/copy-text.tsx'
import { Dialog } from './dialog.tsx'
import { toErrorView } from '#ui/state/error-view.ts'
import { Notice } from '#ui/state/notice.tsx'
import { downloadDomainFile, useVerifyDomain } from './use-domain-proof.ts'

/* Dialog in which a customer proves a domain (directory 2): by a file in its root, or the same text in DNS. */

interface DomainDialogProps {
  readonly domain: string
  /** First sentence: the reason why the domain has to be proved. */
  readonly why: string
  readonly fileName: string
  readonly onVerified: () => void
  readonly onClose: () => void
}

export function DomainDialog({ domain, why, fileName, onVerified, onClose }: DomainDialogProps) {
  const verify = useVerifyDomain()
  const [failure, setFailure] = useState<string | null>(null)
  const check = async () => {
    setFailure(null)
    try {
      await verify.trigger({ domain })
      onVerified()
    } catch (error) {
      setFailure(toErrorView(error).message)
    }
  }
  return (
    <Dialog
      title={`验证域名“${domain}”`}
      onClose={onClose}
      footer={
        <>
          <Button onClick={() => void downloadDomainFile(domain)}>下载验证文件</Button>
          <Button theme="solid" loading={verify.isMutating} onClick={() => void check()}>
            {verify.isMutating ? '正在验证' : '验证'}
          </Button>
        </>
      }
    >
      <p>{why}请用下列任一方式证明域名归您所有，完成后点击“验证”：</p>
      <ol>
        <li>
          下载验证文件 <CopyText text={fileName} label="复制文件名" />
          ，放到域名的根目录，使 <code>{`https://${domain}/${fileName}`}</code> 可以访问；
        </li>
        <li>
          或把验证文件的内容添加为 <code>{domain}</code> 的DNS TXT记录。
        </li>
      </ol>
      {failure !== null && (
        <Notice role="alert" tone="warn">
          {failure}
        </Notice>
      )}
    </Dialog>
  )
}
