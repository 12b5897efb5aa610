import { POP_MODE_NAME } from '#contract/network/limits.ts'
import { EPOCH_MS } from '#contract/kernel/time-range.ts'
import { timeText } from '#contract/kernel/time.ts'
import { CIPHERS_NAME } from '#contract/network/networks.ts'
import { NETWORK_TICKET_WORD } from '#contract/network/pop.ts'
import { VENDOR_NAME } from '#domain/auth-source/source.ts'
import { DEFAULT_ROUTE_NAME, SOFTWARE_MODE_NAME } from '#domain/network/history/setting-words.ts'
import { differenceWord } from './audit-words.ts'

/* Difference of an audit row (操作审计) in words: fields with their values before and after. */

export type AuditSide = Readonly<Record<string, unknown>> | null

export const toAuditRow = <Row extends { readonly before: string | null; readonly after: string | null }>(
  row: Row,
) => ({
  ...row,
  before: toSide(row.before),
  after: toSide(row.after),
})

const toSide = (json: string | null): AuditSide => (json === null ? null : (JSON.parse(json) as AuditSide))

/** A field of a change in words; null on the side that has no such field. */
export interface FieldChange {
  readonly field: string
  readonly name: string
  readonly before: string | null
  readonly after: string | null
}

/** Fields in their written order. Fields that are equal on both sides are left out. */
export function toFieldChanges(
  before: AuditSide,
  after: AuditSide,
  call: AuditedCall | null = null,
): readonly FieldChange[] {
  const fields = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])
  return [...fields].flatMap((field) => {
    const change = { before: sideText(before, field, call), after: sideText(after, field, call) }
    return change.before === change.after ? [] : [{ field, name: differenceWord(field), ...change }]
  })
}

/** The change as lines of a cell: `备注：旧 → 新`. */
export const changesText = (before: AuditSide, after: AuditSide, call: AuditedCall | null = null): string =>
  toFieldChanges(before, after, call).map(lineText).join('\n')

function lineText({ name, before, after }: FieldChange): string {
  if (before === null || after === null)
    return `${name}：${(before ?? after) || EMPTY}${after === null ? ' → 已移除' : ''}`
  return `${name}：${before || EMPTY} → ${after || EMPTY}`
}

const EMPTY = '（空）'

const sideText = (side: AuditSide, field: string, call: AuditedCall | null): string | null =>
  side !== null && Object.hasOwn(side, field) ? valueText(field, side[field], call) : null

function valueText(field: string, value: unknown, call: AuditedCall | null): string {
  if (value === null || value === undefined) return ''
  const word = valueWord(field, value, call)
  if (word !== null) return word
  if (typeof value === 'boolean') return value ? '是' : '否'
  if (typeof value === 'number') return isTime(field, value) ? timeText(value) : String(value)
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every(isPlain)) return value.map((item) => valueText(field, item, call)).join('、')
  return JSON.stringify(value)
}

const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null

/** `expiresAt`, `start_time` and the like hold epoch milliseconds. */
const isTime = (field: string, value: number): boolean =>
  /(At|_at|_time)$/.test(field) && Number.isInteger(value) && value >= EPOCH_MS.first && value <= EPOCH_MS.last

/** Call that wrote an audit row. The same field has different meanings in different calls. */
interface AuditedCall {
  readonly module: string
  readonly action: string
}

type Words = Readonly<Record<string | number, string>>

const ON_OFF: Words = { 0: '停用', 1: '启用' }
const YES_NO: Words = { 0: '否', 1: '是' }

const CODE_WORDS: Readonly<Record<string, Words>> = {
  allowed: { 0: '不允许', 1: '允许' },
  enable: { 0: '关闭', 1: '开启' },
  flags: {
    'router:create': '成员创建',
    'router:edit': '成员编辑',
    'router:delete': '成员删除',
    'network:create': '组网创建',
    'network:edit': '组网编辑',
    'network:delete': '组网删除',
    'monitor:view': '监控查看',
    'monitor:create': '监控启动',
    'monitor:edit': '监控设置',
    'monitor:delete': '监控关闭',
  },
  ncp_ciphers: CIPHERS_NAME,
  network_ticket_status: NETWORK_TICKET_WORD,
  required: YES_NO,
  security: { none: '不加密', ldaps: 'LDAPS', starttls: 'StartTLS' },
  share: { 0: '标准版', 1: '共享版' },
  status: ON_OFF,
  sync_mode: { 1: '手动', 2: '自动' },
  use_ssl: YES_NO,
  use_tls: YES_NO,
}

/** Words by call, as `module/action/field`. They precede CODE_WORDS. */
const CALL_WORDS: Readonly<Record<string, Words>> = {
  'auth_source/create/type': VENDOR_NAME,
  'auth_source/edit/type': VENDOR_NAME,
  'auth_source/delete/type': VENDOR_NAME,
  'ldap/save/mode': { public: '公网', private: '内网' },
  'network/default_route/model': Object.fromEntries(DEFAULT_ROUTE_NAME.entries()),
  'network/fr/mode': POP_MODE_NAME,
  'network/software_mode/mode': SOFTWARE_MODE_NAME,
}

function valueWord(field: string, value: unknown, call: AuditedCall | null): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const ofCall = call === null ? undefined : CALL_WORDS[`${call.module}/${call.action}/${field}`]
  const words = ofCall ?? (Object.hasOwn(CODE_WORDS, field) ? CODE_WORDS[field] : undefined)
  return words !== undefined && Object.hasOwn(words, value) ? (words[value] ?? null) : null
}
