import { dateText } from '#contract/kernel/time.ts'
import type { DirectoryCounts, PlanKind } from '#contract/ldap/hub.ts'
import { STOP_TEXT, type StopReason } from './run.ts'

/* Texts about the directory sync: counts, failures, alert reasons and site messages. */

export const COUNT_KINDS: readonly { readonly value: PlanKind; readonly label: string }[] = [
  { value: 'added', label: '新增' },
  { value: 'changed', label: '更新' },
  { value: 'disabled', label: '停用' },
  { value: 'enabled', label: '恢复启用' },
  { value: 'conflicts', label: '不能导入' },
  { value: 'removable', label: '可移除' },
]

/** Kinds that a run or a person writes. The other kinds are only counted. */
export const WRITTEN: readonly PlanKind[] = ['added', 'changed', 'disabled', 'enabled']

/** `新增 3，停用 1`; zero counts are left out. */
export const countsText = (counts: DirectoryCounts, kinds: readonly PlanKind[]): string =>
  COUNT_KINDS.filter(({ value }) => kinds.includes(value) && counts[value] > 0)
    .map(({ value, label }) => `${label} ${counts[value]}`)
    .join('，')

/** Sentence after a failed run. Its written portions stay and can be undone. */
export function failedText(written: DirectoryCounts): string {
  const done = countsText(written, WRITTEN)
  return done === '' ? '成员未作改动' : `已${done}，其余成员未作改动，可在同步记录中撤销`
}

/** A site message about the directory. `eventId` identifies its occasion. */
export interface DirectoryMessage {
  readonly eventId: string
  readonly title: string
  readonly content: string
}

const WHY: Readonly<Record<StopReason, string>> = {
  ...STOP_TEXT,
  first: '配置变更后的首次同步将停用成员',
}

/** Reason of the alert about a stopped run. */
export const stopReason = (stop: StopReason, disabled: number): string => `${WHY[stop]}（${disabled}个），同步已暂停`
export const certificateReason = (expiresAt: number): string => `服务器证书将于${dateText(expiresAt)}过期`

export const stopMessage = (runId: string, stop: StopReason, disabled: number): DirectoryMessage => ({
  eventId: `ldap-stop:${runId}:${disabled}`,
  title: '目录同步已暂停，等待确认',
  content: `${stopReason(stop, disabled)}。请在“LDAP接入”中核对后确认，或检查目录服务器。`,
})

export const failedMessage = (runId: string, failure: string, written: DirectoryCounts): DirectoryMessage => ({
  eventId: `ldap-failed:${runId}`,
  title: '目录同步连续失败',
  content: `${failure}。最近一次同步：${failedText(written)}。请在“LDAP接入”中检查配置。`,
})

export const certificateMessage = (accountId: number, expiresAt: number): DirectoryMessage => ({
  eventId: `ldap-certificate:${accountId}:${expiresAt}`,
  title: '目录服务器证书即将过期',
  content: `目录服务器的证书将于${dateText(expiresAt)}过期，过期后无法同步和登录，请及时更换。`,
})
