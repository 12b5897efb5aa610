import { type Violation, violation } from '#contract/kernel/result.ts'

/* Decides whether a software member may sign in, and names the reasons of failed sign-ins. */

export interface MemberState {
  readonly status: number
  readonly accountStatus: number
  /** Software members that the account's services allow now. */
  readonly softwareQuota: number
}

/** Runs only after a correct password or code, so that a stranger learns nothing. */
export function checkMember({ status, accountStatus, softwareQuota }: MemberState): Violation | null {
  if (accountStatus !== 1) return violation('MEMBER_ACCOUNT_DISABLED')
  if (status !== 1) return violation('MEMBER_DISABLED')
  return softwareQuota === 0 ? violation('MEMBER_SERVICE_EXPIRED') : null
}

export const LOGIN_FAILURE = {
  password: '密码错误',
  code: '验证码错误',
  directory: '目录服务不可用',
  disabled: '目录中已禁用',
  gone: '目录中已删除',
  locked: '目录账号已锁定',
  expired: '目录账号已过期',
  password_expired: '目录密码已过期',
  restricted: '目录账号不允许此时登录',
  MEMBER_DISABLED: '成员已停用',
  MEMBER_ACCOUNT_DISABLED: '企业账号已停用',
  MEMBER_SERVICE_EXPIRED: '软件成员服务已到期',
  // of dials
  DIAL_PASSWORD: '拨入时使用了密码',
  DIAL_TOKEN_WRONG: '拨入凭证不正确',
  DIAL_TOKEN_EXPIRED: '拨入凭证已过期',
  DIAL_TOKEN_REVOKED: '拨入凭证已失效',
  DIAL_PROFILE_OVER: '接入配置已失效',
  DIAL_NOT_MEMBER: '不在拨入的组网中',
  DIAL_PAUSED: '拨入失败次数过多',
} as const

export const failureOf = ({ key }: Violation): string => (LOGIN_FAILURE as Readonly<Record<string, string>>)[key] ?? ''
