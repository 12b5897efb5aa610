/** What the pages of the audit call a module, by the first segment of the call. */
const MODULES: Readonly<Record<string, string>> = {
  account: '账号',
  client: '客户端',
  contacts: '联系人',
  login: '登录',
  message: '消息',
  monitor: '监控告警',
  network: '组网',
  network_fr: 'POP资源',
  ops: '运营',
  overview: '概览',
  ram: '子账号',
  ram_role: '角色',
  router: '成员',
  ticket: '客服工单',
  verify: '身份验证',
  webhook: '机器人',
}

/** The audit's own name where a module has none. */
export const moduleWords = (module: string): string => MODULES[module] ?? module

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

export const actionWords = (action: string): string => ACTIONS.find(([pattern]) => pattern.test(action))?.[1] ?? '修改'
