import type { UserInfo } from '#contract/account/user-info.ts'
import { PERMISSIONS } from '#contract/kernel/permissions.ts'

export function createUser(over: Partial<UserInfo> = {}): UserInfo {
  return {
    username: 'demo01',
    nickname: '启明',
    birthday: '',
    industry: '',
    occupation: '',
    user_phone: '+86 138****0001',
    user_email: '',
    message_count: 0,
    ram: 0,
    sign: 'qiming',
    config: { software_auth_source: 0 },
    auth: { quagga: 0, quagga_advanced: 0, default_route: 0 },
    flags: [...PERMISSIONS],
    networks: null,
    ...over,
  }
}

export function createSession(over: Partial<UserInfo> = {}, seconds = 1800) {
  return { access_token: 'access-1', token_expire_time: seconds, user: createUser(over) }
}

export const NO_STATES = { online: 0, reconnecting: 0, flapping: 0, unreadable: 0, offline: 0, never: 0, disabled: 0 }

/** Health of a network that runs well, as the wire carries it. */
export const createHealth = (over: object = {}) => ({
  state: 'ok',
  issues: 0,
  cause: '',
  since: null,
  centers: { up: 1, total: 1 },
  members: { ...NO_STATES, online: 2 },
  links: { up: 1, down: 0, one_sided: 0, unknown: 0, never: 0 },
  single_center: 0,
  config: { applied: 2, total: 2 },
  ...over,
})
