import { dateText } from '#contract/kernel/time.ts'
import { type PlainPage, escapeHtml } from '../site/plain-page.ts'

interface LinkedProfile {
  readonly deviceName: string
  readonly networkName: string
  readonly expiresAt: number
}

/** Page behind the link of a profile: its button asks for the file, once. */
export const phoneLinkPage = ({ deviceName, networkName, expiresAt }: LinkedProfile): PlainPage => ({
  title: '下载接入配置',
  body: `<dl><dt>设备</dt><dd>${escapeHtml(deviceName)}</dd><dt>组网</dt><dd>${escapeHtml(networkName)}</dd>
<dt>有效期至</dt><dd>${dateText(expiresAt)}</dd></dl>
<p>链接只能使用一次。下载后用 OpenVPN Connect（发布者 OpenVPN Inc.）打开该文件并连接。</p>
<form method="post"><button>下载</button></form>`,
})
