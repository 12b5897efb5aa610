import type { UserInfo } from '../../../worker/contract/account.ts'
import { PERMISSIONS } from '../../../worker/contract/permissions.ts'

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
