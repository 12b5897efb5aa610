import { FIELD_NAMES } from '#contract/kernel/input/field-names.ts'
import type { AuditActorKind } from '#contract/logs/index.ts'

/* Words of audit rows (操作审计): actors, modules, actions and fields. */

export const ACTOR_WORD: Readonly<Record<AuditActorKind, string>> = {
  main: '主账号',
  ram: '子账号',
  operator: '运营',
  system: '系统',
}

/** Modules of audit rows: first segments of addresses. */
export const MODULE_WORD: Readonly<Record<string, string>> = {
  account: '账号',
  auth_source: '第三方认证源',
  bandwidth_pool: '带宽池',
  client: '客户端',
  contacts: '联系人',
  ldap: 'LDAP接入',
  login: '登录',
  logs: '日志',
  message: '消息',
  monitor: '监控告警',
  network: '组网',
  network_fr: 'POP资源',
  ops: '运营操作',
  overview: '概览',
  ram: '子账号',
  ram_role: '角色',
  router: '成员',
  saas: 'SaaS加速',
  ticket: '工单',
  verify: '找回密码',
  webhook: '告警Webhook',
}

export const moduleWord = (module: string): string => MODULE_WORD[module] ?? module

/** Kinds of actions, by the second segment of the call; the first pattern that fits. */
const ACTIONS: readonly (readonly [RegExp, string])[] = [
  [/(^|_)(create|add|register)(_|$)/, '添加'],
  [/(^|_)(delete|remove|unsubscribe)(_|$)/, '删除'],
  [/^(cancel|ticket_cancel|withdraw)$/, '取消'],
  [/^ticket$/, '添加'],
  [/^sign_in$/, '登录'],
  [/^sign_out$|^end_/, '退出'],
  [/^export$/, '导出'],
  [/(^|_)upload(_|$)/, '上传'],
  [/send|^test$|^reply$/, '发送'],
]

export const actionWord = (action: string): string => ACTIONS.find(([pattern]) => pattern.test(action))?.[1] ?? '修改'

/** Names of fields that no call has, or that differ from the call's name. */
const DIFFERENCE_WORD: Readonly<Record<string, string>> = {
  added: '新增',
  articles: '文章数',
  auth: '权限',
  default_route: '默认路由',
  dns_quantity: 'DNS数量',
  enabled: '启用',
  expireAt: '到期时间',
  expiresAt: '到期时间',
  failed: '失败',
  features: '功能',
  flags: '权限',
  host: '品牌域名',
  network_ticket_status: '状态',
  networks: '可访问的组网',
  point: '点',
  pop: 'POP区域',
  quagga: '动态路由',
  quagga_advanced: '动态路由高级功能',
  quantity: '数量',
  role: '角色',
  rows: '条数',
  security: '加密方式',
  serial: '序列号',
  settings: '设置',
  skipped: '跳过',
  software_auth_source: '第三方认证源',
  startAt: '开始时间',
  version: '版本',
}

export const differenceWord = (field: string): string => DIFFERENCE_WORD[field] ?? FIELD_NAMES[field] ?? field
