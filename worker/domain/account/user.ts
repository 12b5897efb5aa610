import type { UserInfo } from '#contract/account/user-info.ts'
import { toWireBoolean } from '#contract/kernel/fields.ts'
import { PERMISSIONS, type Permission, type Grants } from '#contract/kernel/permissions.ts'
import { type Violation, violation } from '#contract/kernel/result.ts'
import type { Session } from '#contract/kernel/session.ts'
import { DAY_MS, dateText } from '#contract/kernel/time.ts'
import { BIRTHDAY } from '#contract/account/limits.ts'
import { maskEmail, maskPhone } from './contact.ts'

/* Persons who may sign in, main accounts and sub-accounts: their rights, names and profile data. */

/** Key of a person: the main account, or one of its sub-accounts. */
export const personKey = ({ accountId, ramId }: Pick<Session, 'accountId' | 'ramId'>): string =>
  ramId === null ? `main:${accountId}` : `ram:${ramId}`

/** A main account, or a sub-account (`ramId` not null) together with its account. */
export interface User {
  readonly accountId: number
  readonly username: string
  readonly nickname: string
  readonly areaCode: string
  readonly phone: string | null
  readonly email: string | null
  readonly sign: string | null
  readonly ramDomain: string
  readonly birthday: string | null
  readonly industry: string | null
  readonly occupation: string | null
  readonly status: number
  readonly quagga: number
  readonly quaggaAdvanced: number
  readonly defaultRoute: number
  readonly softwareAuthSource: number
  readonly unread: number
  readonly ramId: number | null
  readonly ramUsername: string | null
  readonly ramNickname: string | null
  readonly ramStatus: number | null
  readonly hasTotp: number
  readonly ramTotpRequired: number
  /** JSON lists of the sub-account's role. */
  readonly flags: string | null
  readonly networks: string | null
}

export function toGrants(user: User): Grants {
  if (user.ramId === null) return { kind: 'main', flags: PERMISSIONS, networks: null }
  const held = new Set<string>(JSON.parse(user.flags ?? '[]'))
  return {
    kind: 'ram',
    flags: PERMISSIONS.filter((flag): flag is Permission => held.has(flag)),
    networks: user.networks === null ? null : (JSON.parse(user.networks) as string[]),
  }
}

export const isEnabled = (user: User): boolean => user.status === 1 && (user.ramId === null || user.ramStatus === 1)

/** Sign-in name as it is shown and logged. */
export const loginNameOf = (user: User): string =>
  user.ramId === null ? user.username : `${user.ramUsername}@${user.ramDomain}`

export function toUserInfo(user: User): UserInfo {
  const grants = toGrants(user)
  return {
    ...toPerson(user),
    username: loginNameOf(user),
    message_count: user.unread,
    ram: user.ramId === null ? 0 : 1,
    sign: user.sign ?? '',
    config: { software_auth_source: toWireBoolean(user.softwareAuthSource) },
    auth: {
      quagga: toWireBoolean(user.quagga),
      quagga_advanced: toWireBoolean(user.quaggaAdvanced),
      default_route: toWireBoolean(user.defaultRoute),
    },
    flags: [...grants.flags],
    networks: grants.networks && [...grants.networks],
  }
}

/** A sub-account sees its own name and no personal data of the account holder. */
function toPerson(user: User) {
  if (user.ramId !== null) {
    const nickname = user.ramNickname ?? ''
    return { nickname, birthday: '', industry: '', occupation: '', user_phone: '', user_email: '' }
  }
  return {
    nickname: user.nickname,
    birthday: user.birthday ?? '',
    industry: user.industry ?? '',
    occupation: user.occupation ?? '',
    user_phone: maskPhone(user.areaCode, user.phone),
    user_email: maskEmail(user.email),
  }
}

/** Latest accepted birthday: `BIRTHDAY.daysAgo` days before today in Asia/Shanghai (account 5). */
export const latestBirthday = (now: number): string => dateText(now - BIRTHDAY.daysAgo * DAY_MS)

export function checkBirthday(birthday: string, now: number): Violation | null {
  const latest = latestBirthday(now)
  return birthday > latest ? violation('BIRTHDAY_LATE', { latest }) : null
}
