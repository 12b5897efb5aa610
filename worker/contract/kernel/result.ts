import type { ErrorKey } from './errors.ts'

/* Results of a call: wire codes, violations, success sentences, and entries of the catalogue of refusals. */

/** Wire codes that the console reacts to (account 8; ours: 429, 2001–2003). Many reasons share one code. */
export const RESULT = {
  ok: 200,
  notFound: 204,
  stepNeeded: 401,
  forbidden: 403,
  invalid: 422,
  doFirst: 423,
  tooOften: 429,
  fault: 500,
  away: 503,
  expired: 2001,
  revoked: 2002,
  badToken: 2003,
} as const
type WireCode = (typeof RESULT)[keyof typeof RESULT] | 400 | 404 | 413

/** Sentences that every page of the console may need. The others load with the catalogue (errors.ts). */
export const SENTENCE = {
  fault: '系统异常,请稍候尝试!',
  stateUnknown: '实时状态暂不可用',
  codeMissing: '请输入验证码',
  permissionDenied: '没有操作权限，请联系主账号授权',
  tokenExpired: '登录已过期，请重新登录!',
  totpMandatory: '主账号要求子账号使用两步验证，不能关闭',
  loginTicketGone: '登录验证已失效，请重新登录',
  alertNotFound: '告警不存在或已过期',
  deliveryNotFound: '投递记录不存在或已过期',
  ticketNotFound: '工单不存在或已被删除',
  emailRequired: '请绑定邮箱再进行勾选',
  webhookRequired: '请配置webhook再进行勾选',
} as const

/** Refusal of a rule: key of its sentence and parameters. `field` overrides that of the entry. */
export interface Violation {
  readonly key: ErrorKey
  readonly params: Readonly<Record<string, string | number>>
  readonly field?: string
}

export function violation(key: ErrorKey, params: Violation['params'] = {}, field?: string): Violation {
  return field === undefined ? { key, params } : { key, params, field }
}

/** Success sentences (account 8). */
export const DONE = {
  deleted: '删除成功',
  removed: '已移出组网',
  revoked: '已吊销',
  cancelled: '取消成功',
  changed: '修改成功',
  saved: '保存成功',
  set: '设置成功',
  sent: '发送成功',
  disabled: '已停用',
  enabled: '已启用',
  submitted: '提交成功',
  ticketSubmitted: '工单提交成功，请耐心等待回复',
  reopened: '已重新打开',
  authorized: '授权成功',
  registered: '注册成功',
  added: '添加成功',
  replaced: '更换成功',
  resent: '已重新下发',
  asked: '已请求设备重新上报',
  accepted: '已受理',
  restored: '已恢复',
  verified: '已验证',
  unsubscribed: '已退订',
  mailsRefused: '已停止接收',
  mailsAccepted: '已恢复接收',
  signedOut: '已退出登录',
  bound: '绑定成功',
  started: '启动成功',
  closed: '关闭成功',
  acknowledged: '已确认',
  handled: '已登记由你处理',
  muted: '已静默',
  unmuted: '已取消静默',
  exported: '导出成功',
  savedConfig: '保存配置成功！',
  uploaded: '上传成功！',
  domainProved: '域名验证成功',
  imported: '导入成功',
  synced: '同步完成',
} as const

/** Counts of a batch, and the noun of its objects. */
export interface BatchCounts {
  readonly done: number
  /** Objects that the call names and that stay as they were. */
  readonly left: number
  readonly noun: string
}

const BATCH_VERBS = {
  added: '添加',
  changed: '修改',
  deleted: '删除',
  imported: '导入',
  resent: '重新下发',
  restored: '恢复',
  set: '标记',
  synced: '同步',
} as const satisfies Partial<Record<keyof typeof DONE, string>>

/** Success sentences of calls that may do a part of their work, or nothing. */
export type BatchDone = keyof typeof BATCH_VERBS

/** Sentence of a batch: all, some or none of its objects. `counted` also names the number of all. */
export function batchSentence(call: BatchDone, { done, left, noun }: BatchCounts, whole?: 'counted'): string {
  const verb = BATCH_VERBS[call]
  if (done === 0) return left === 0 ? `没有可${verb}的${noun}` : `未${verb}任何${noun}`
  if (left === 0 && whole === undefined) return DONE[call]
  return `成功${verb}${done}个${noun}${left === 0 ? '' : `，失败${left}个`}`
}

/** Entry of the catalogue (errors.ts). */
export interface ErrorEntry {
  readonly code: WireCode
  /** Sentence with cause and next action. `{name}` stands for a parameter of the violation. */
  readonly msg: string
  /** Input field of the message, if it is always the same one. */
  readonly field?: string
  /** HTTP status of a business result with a code of the transport. */
  readonly status?: 200
}

const entryOf =
  (code: WireCode) =>
  (msg: string, field?: string): ErrorEntry =>
    field === undefined ? { code, msg } : { code, msg, field }

export const notFound = entryOf(RESULT.notFound)
export const stepNeeded = entryOf(RESULT.stepNeeded)
export const forbidden = entryOf(RESULT.forbidden)
export const invalid = entryOf(RESULT.invalid)
export const doFirst = entryOf(RESULT.doFirst)
export const tooOften = entryOf(RESULT.tooOften)
export const badToken = entryOf(RESULT.badToken)
