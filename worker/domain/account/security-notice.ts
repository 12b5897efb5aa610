import { type Novelty, type RequestOrigin, readDevice } from '#domain/login/origin.ts'
import { timeText } from '#contract/kernel/time.ts'
import { LOGIN_TICKET } from '#contract/login/limits.ts'
import { type ContactChange, maskContact } from './contact.ts'

/* Texts of security notices (安全): changes of contacts, password and second factor, and unusual sign-ins. */

export const SECURITY_TYPE = '安全'

/** Security event of an account, as a site message and as the text to its contacts. */
export interface SecurityNotice {
  readonly title: string
  readonly text: string
}

interface SecurityEvent extends RequestOrigin {
  readonly now: number
}

/** For example 时间 2026-11-22 10:00:00，来自 203.0.113.9（中国 Shanghai），设备 Windows · Chrome 126. */
function circumstances({ now, ip, place, userAgent }: SecurityEvent): string {
  const { device, browser } = readDevice(userAgent)
  return `时间 ${timeText(now)}，来自 ${ip}${place && `（${place}）`}，设备 ${device} · ${browser}`
}

const IF_NOT_YOU = '如非本人操作，请立即修改登录密码；不能登录时请联系服务商。'

export const passwordNotice = (username: string, at: SecurityEvent): SecurityNotice => ({
  title: '登录密码已修改',
  text: `账号 ${username} 的登录密码已修改，其他登录已全部退出。${circumstances(at)}。${IF_NOT_YOU}`,
})

/** A sub-account has no phone or e-mail, so the mail goes to its main account. */
export const subPasswordNotice = (username: string, at: SecurityEvent): SecurityNotice => ({
  title: '子账号登录密码已修改',
  text: `子账号 ${username} 的登录密码已修改，其登录已全部退出。${circumstances(at)}。如非本人操作，请立即联系主账号。`,
})

/** For a sub-account whose password the main account has set. */
export const subPasswordSetNotice = (username: string, at: SecurityEvent): SecurityNotice => ({
  title: '子账号登录密码已重置',
  text: `子账号 ${username} 的登录密码已由主账号重置，其登录已全部退出。${circumstances(at)}。${IF_NOT_YOU}`,
})

export const recoveryNotice = (username: string, at: SecurityEvent): SecurityNotice => ({
  title: '登录密码已重置',
  text: `账号 ${username} 的登录密码已通过找回密码重置，所有登录已退出。${circumstances(at)}。${IF_NOT_YOU}`,
})

export function contactNotice(
  username: string,
  { kind, before, after }: ContactChange,
  at: SecurityEvent,
): SecurityNotice {
  const noun = kind === 'phone' ? '手机' : '邮箱'
  const [old, bound] = [maskContact(kind, before), maskContact(kind, after)]
  const what = old === '' ? `已绑定${noun} ${bound}` : `绑定的${noun}由 ${old} 更换为 ${bound}`
  return {
    title: old === '' ? `${noun}已绑定` : `绑定${noun}已更换`,
    text: `账号 ${username} ${what}，其他登录已全部退出。${circumstances(at)}。${IF_NOT_YOU}`,
  }
}

export function signInNotice(username: string, { device, place }: Novelty, at: SecurityEvent): SecurityNotice {
  const what = device && place ? '新的设备和地点' : device ? '新的设备' : '新的地点'
  return { title: `账号在${what}登录`, text: `账号 ${username} 在${what}登录。${circumstances(at)}。${IF_NOT_YOU}` }
}

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

export function totpNotice(username: string, event: keyof typeof EVENTS, at: SecurityEvent): SecurityNotice {
  const [title, text] = EVENTS[event]
  return { title, text: `账号 ${username} ${text}。${circumstances(at)}。${IF_NOT_YOU}` }
}

export const recoverySignInNotice = (username: string, left: number, at: SecurityEvent): SecurityNotice => ({
  title: '使用恢复码登录',
  text: `账号 ${username} 使用恢复码登录，还剩${left}个恢复码。${circumstances(at)}。${IF_NOT_YOU}`,
})

/** Omits the operator's address. */
export const operatorResetNotice = (username: string, now: number): SecurityNotice => ({
  title: '两步验证已重置',
  text: `账号 ${username} 的两步验证已由服务商重置，所有登录已退出，请重新登录后再次设置。时间 ${timeText(now)}。${IF_NOT_YOU}`,
})
