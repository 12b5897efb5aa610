import { timeText } from '#contract/kernel/time.ts'
import { type Happened, IF_NOT_YOU, type SecurityNotice, circumstances } from './security-notice.ts'
import { LOGIN_TICKET } from '#contract/login/limits.ts'

/** Events of a person's second factor. */
const EVENTS = {
  on: ['两步验证已开启', '已开启两步验证，其他登录已全部退出'],
  off: ['两步验证已关闭', '已关闭两步验证，登录时不再需要动态验证码'],
  codes: ['恢复码已更换', '更换了两步验证的恢复码，原有恢复码全部失效'],
  reset: ['两步验证已重置', '的两步验证已由主账号重置，其登录已全部退出'],
  guessed: [
    '动态验证码连续错误',
    `有人以正确的密码登录，但动态验证码或恢复码连续错误${LOGIN_TICKET.tries}次，登录已被拒绝`,
  ],
  required: ['子账号须使用两步验证', '已要求子账号使用两步验证，尚未设置的子账号已退出登录'],
  optional: ['子账号不再须使用两步验证', '已取消子账号使用两步验证的要求'],
} as const

export function totpNotice(username: string, event: keyof typeof EVENTS, at: Happened): SecurityNotice {
  const [title, text] = EVENTS[event]
  return { title, text: `账号 ${username} ${text}。${circumstances(at)}。${IF_NOT_YOU}` }
}

export const recoverySignInNotice = (username: string, left: number, at: Happened): SecurityNotice => ({
  title: '使用恢复码登录',
  text: `账号 ${username} 使用恢复码登录，还剩${left}个恢复码。${circumstances(at)}。${IF_NOT_YOU}`,
})

/** Without the address that the operator called from. */
export const operatorResetNotice = (username: string, now: number): SecurityNotice => ({
  title: '两步验证已重置',
  text: `账号 ${username} 的两步验证已由服务商重置，所有登录已退出，请重新登录后再次设置。时间 ${timeText(now)}。${IF_NOT_YOU}`,
})
