import { CIPHERS_NAME } from '#contract/network/networks.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { Notice } from '#ui/state/notice.tsx'
import { ciphersSwitch } from '../settings/ciphers-switch.ts'
import type { Member, NetworkInfo } from '../projection.ts'

const NAMED = 5

interface CiphersNoticeProps {
  readonly info: NetworkInfo
  readonly members: readonly Member[]
}

/** 切换中 until every device that is concerned has confirmed; those that are offline by name. */
export function CiphersNotice({ info, members }: CiphersNoticeProps) {
  const found = ciphersSwitch(info, members)
  if (found === null) return null
  const { total, pending, offline } = found
  return (
    <Notice role="status">
      加密算法正在切换为{CIPHERS_NAME[info.ncp_ciphers]}（切换中）：已确认 {total - pending.length}/{total} 台
      {offline.length > 0 && `；离线，上线后切换：${namesText(offline)}`}
    </Notice>
  )
}

const namesText = (members: readonly Member[]): string =>
  `${members.slice(0, NAMED).map(memberLabel).join('、')}${members.length > NAMED ? ` 等 ${members.length} 台` : ''}`
