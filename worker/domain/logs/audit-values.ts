import { NETWORK_TICKET_WORD } from '#contract/network/pop.ts'
import { CIPHERS_NAME } from '#contract/network/networks.ts'
import { VENDOR_NAME } from '#domain/auth-source/source.ts'
import { DEFAULT_ROUTE_NAME, POP_MODE_NAME, SOFTWARE_MODE_NAME } from '#domain/network/history/setting-words.ts'

/** Call that wrote an audit row. The same field has different meanings in different calls. */
export interface AuditedCall {
  readonly module: string
  readonly action: string
}

type Words = Readonly<Record<string | number, string>>

const ON_OFF: Words = { 0: '停用', 1: '启用' }
const YES_NO: Words = { 0: '否', 1: '是' }

/** Words of codes by field. */
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

/** The same by call, as `module/action/field`; they come first. */
const CALL_WORDS: Readonly<Record<string, Words>> = {
  'auth_source/create/type': VENDOR_NAME,
  'auth_source/edit/type': VENDOR_NAME,
  'auth_source/delete/type': VENDOR_NAME,
  'ldap/save/mode': { public: '公网', private: '内网' },
  'network/default_route/model': Object.fromEntries(DEFAULT_ROUTE_NAME.entries()),
  'network/fr/mode': POP_MODE_NAME,
  'network/software_mode/mode': SOFTWARE_MODE_NAME,
}

/** The word of a code; null where the value is none. */
export function valueWord(field: string, value: unknown, call: AuditedCall | null): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const ofCall = call === null ? undefined : CALL_WORDS[`${call.module}/${call.action}/${field}`]
  const words = ofCall ?? (Object.hasOwn(CODE_WORDS, field) ? CODE_WORDS[field] : undefined)
  return words !== undefined && Object.hasOwn(words, value) ? (words[value] ?? null) : null
}
