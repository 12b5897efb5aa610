import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MonitorPage } from '#pages/monitor/monitor-page.tsx'
import { openPage } from '../network/open-page.tsx'

const RULE = { delay: 0, severity: 'warning' }
export const CONFIG = {
  enable: 1,
  portal_confirm: 1,
  email_confirm: 0,
  webhook_confirm: 0,
  router_online: 0,
  router_offline: 1,
  service_expired: 1,
  pop_connect: 0,
  flapping: 0,
  config_failed: 0,
  directory_sync: 0,
  all_routers: 1,
  router: [],
  rules: {
    router_online: RULE,
    router_offline: { delay: 3, severity: 'warning' },
    service_expired: RULE,
    pop_connect: RULE,
    flapping: RULE,
    config_failed: RULE,
    directory_sync: RULE,
  },
  quiet: { on: 0, start: 1320, end: 480 },
  contacts: [],
  escalation: [],
  has_email: 0,
  has_webhook: 0,
}
export const WEBHOOK = {
  type: 'dingtalk',
  url: 'https://oapi.dingtalk.com/robot/send?access_token=******',
  secret: '',
  has_secret: 1,
}
export const AT = Date.parse('2026-11-20T02:00:00Z')
export const ALERT = {
  alert_id: 'a1',
  rule: 'router_offline',
  severity: 'warning',
  title: '成员离线：北京分公司',
  router_name: 'NL1',
  network_number: 'N1',
  reason: '超过75秒没有心跳',
  start_time: AT,
  end_time: null,
  folded: 0,
  times: 0,
  ack_by: '',
  ack_time: null,
}

export const WAITING = {
  delivery_id: 'd1',
  alert_id: 'a1',
  kind: 'open',
  channel: 'webhook',
  target: '',
  title: '成员离线：北京分公司',
  state: 'pending',
  code: '130101',
  words: 'send too fast',
  tries: 3,
  create_time: AT,
  done_time: null,
  next_time: AT + 600_000,
  waits: 0,
}

const NOTHING_SENT = { data: [], count: 0, paused: 0 }

export const open = (handlers = {}, query = '', user: Parameters<typeof openPage>[3] = {}) => {
  const replies = {
    'monitor/config': { data: CONFIG },
    'monitor/routers': { data: [{ router_name: 'NL1', note: '北京分公司' }] },
    'webhook/config': { data: WEBHOOK },
    'monitor/setting': { msg: '设置成功' },
    'monitor/deliveries': NOTHING_SENT,
  }
  return openPage(<MonitorPage />, `/monitor/setting${query}`, { ...replies, ...handlers }, user)
}
export const findRow = async (name: string) => within(await screen.findByRole('row', { name: new RegExp(name) }))
export const toggle = async (name: string) => userEvent.click(await screen.findByRole('switch', { name }))
export const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
