import { render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { App } from '#client/app.tsx'
import { fakeApi } from '../lib/fake-api.ts'

export type Handlers = Parameters<typeof fakeApi>[0]

const NAME = 'li.na@qiming'
const session = { data: { router_name: NAME, access_token: 't', token_expire_time: 1_800, refresh_token: '' } }
export const SIGNED_IN: Handlers = { 'client/refresh': session }
export const SIGNED_OUT: Handlers = {
  'client/refresh': { code: 2003, msg: '请先登录', reason: 'TOKEN_BAD' },
  'client/login': session,
  'client/phone_login': { data: { session: session.data, choices: [] } },
}

const server = (over = {}) => ({
  kind: 'center',
  router_name: 'NL-1',
  proto: 'udp',
  remotes: [{ host: '203.0.113.5', port: 1194 }],
  fixed: 1,
  segment: '100.64.16.0/20',
  gateway: '100.64.16.1',
  ip: '100.64.16.9',
  routes: ['192.168.10.0/24'],
  ...over,
})
export const network = (over = {}, server_over = {}) => ({
  network_number: 'N1',
  network_name: '办公网',
  network_status: 1,
  msg: '',
  dial: { mode: 1, ciphers: 'default', dns: [], servers: [server(server_over)] },
  ...over,
})
export const profile = (over = {}) => ({
  profile_id: 7,
  network_number: 'N1',
  network_name: '办公网',
  device_name: '手机',
  create_time: 1_000,
  expire_time: Date.parse('2026-12-01T00:00:00Z'),
  last_dial_time: null,
  state: 'valid',
  ...over,
})
export const networksOf = (networks: readonly object[], profiles: readonly object[] = []): Handlers => ({
  'client/profile': { data: { router_name: NAME, note: '', phone: '', networks } },
  'client/profiles': { data: profiles },
})

export function openClient(handlers: Handlers) {
  const api = fakeApi({ ...networksOf([network()]), 'client/logout': {}, ...handlers })
  const { unmount } = render(<App />)
  return { api, user: userEvent.setup(), unmount }
}
