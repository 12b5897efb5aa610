import type { Novelty, RequestOrigin } from '#domain/login/origin.ts'
import { readDevice } from '#domain/login/user-agent.ts'
import { timeText } from '#contract/kernel/time.ts'
import { type ContactChange, maskContact } from './contact-change.ts'

/** Type of the site message. */
export const SECURITY_TYPE = '安全'

/** Security event of an account, as a site message and as the text to its contacts. */
export interface SecurityNotice {
  readonly title: string
  readonly text: string
}

export interface Happened extends RequestOrigin {
  readonly now: number
}

/** 2026-11-22 10:00:00，来自 203.0.113.9（中国 Shanghai），设备 Windows · Chrome 126 */
export function circumstances({ now, ip, place, userAgent }: Happened): string {
  const { device, browser } = readDevice(userAgent)
  return `时间 ${timeText(now)}，来自 ${ip}${place && `（${place}）`}，设备 ${device} · ${browser}`
}

export const IF_NOT_YOU = '如非本人操作，请立即修改登录密码；不能登录时请联系服务商。'

export const passwordNotice = (username: string, at: Happened): SecurityNotice => ({
  title: '登录密码已修改',
  text: `账号 ${username} 的登录密码已修改，其他登录已全部退出。${circumstances(at)}。${IF_NOT_YOU}`,
})

/** A sub-account has no phone or e-mail: the mail goes to the account's. */
export const subPasswordNotice = (username: string, at: Happened): SecurityNotice => ({
  title: '子账号登录密码已修改',
  text: `子账号 ${username} 的登录密码已修改，其登录已全部退出。${circumstances(at)}。如非本人操作，请立即联系主账号。`,
})

/** The main account has set it. */
export const subPasswordSetNotice = (username: string, at: Happened): SecurityNotice => ({
  title: '子账号登录密码已重置',
  text: `子账号 ${username} 的登录密码已由主账号重置，其登录已全部退出。${circumstances(at)}。${IF_NOT_YOU}`,
})

export const recoveryNotice = (username: string, at: Happened): SecurityNotice => ({
  title: '登录密码已重置',
  text: `账号 ${username} 的登录密码已通过找回密码重置，所有登录已退出。${circumstances(at)}。${IF_NOT_YOU}`,
})

export function contactNotice(username: string, { kind, before, after }: ContactChange, at: Happened): SecurityNotice {
  const noun = kind === 'phone' ? '手机' : '邮箱'
  const [old, bound] = [maskContact(kind, before), maskContact(kind, after)]
  const what = old === '' ? `已绑定${noun} ${bound}` : `绑定的${noun}由 ${old} 更换为 ${bound}`
  return {
    title: old === '' ? `${noun}已绑定` : `绑定${noun}已更换`,
    text: `账号 ${username} ${what}，其他登录已全部退出。${circumstances(at)}。${IF_NOT_YOU}`,
  }
}

export function signInNotice(username: string, { device, place }: Novelty, at: Happened): SecurityNotice {
  const what = device && place ? '新的设备和地点' : device ? '新的设备' : '新的地点'
  return { title: `账号在${what}登录`, text: `账号 ${username} 在${what}登录。${circumstances(at)}。${IF_NOT_YOU}` }
}
