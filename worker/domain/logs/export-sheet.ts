import type { Output } from '#contract/kernel/endpoint.ts'
import { WORKBOOK } from '#contract/kernel/limits.ts'
import { timeText } from '#contract/kernel/time.ts'
import type { LogExport, logsApi } from '#contract/logs/index.ts'
import { connectionReason } from './close-reason.ts'
import { changesText } from './audit-difference.ts'
import { ACTOR_WORD, actionWord, moduleWord } from './audit-words.ts'

/* Columns, titles and file names of exported logs: sign-ins, connections, dial-ups and audit. */

type LoginRow = Output<typeof logsApi.softwareLogin>[number]
type OnlineRow = Output<typeof logsApi.online>[number]
type ConnectionRow = Output<typeof logsApi.connect>[number]
type AuditRow = Output<typeof logsApi.audit>[number]

interface SheetColumn<Row> {
  readonly header: string
  readonly width?: number
  readonly text: (row: Row) => string
}

const TIME_WIDTH = 20
const WIDE = 28
const time = <K extends string>(header: string, key: K): SheetColumn<Readonly<Record<K, number | null>>> => ({
  header,
  width: TIME_WIDTH,
  text: (row) => optionalTime(row[key]),
})
const optionalTime = (at: number | null): string => (at === null ? '' : timeText(at))

const MEMBER: readonly SheetColumn<Pick<LoginRow, 'router_name' | 'note'>>[] = [
  { header: '成员', width: WIDE, text: (row) => row.router_name },
  { header: '备注', text: (row) => row.note },
]

const LOGIN: readonly SheetColumn<LoginRow>[] = [
  time('登录时间', 'create_time'),
  ...MEMBER,
  { header: '结果', text: (row) => (row.success === 1 ? '成功' : '失败') },
  { header: '失败原因', text: (row) => row.reason },
  { header: 'IP', text: (row) => row.ip },
  { header: '操作系统', text: (row) => row.os },
  { header: '客户端版本', text: (row) => row.version },
  { header: '设备品牌', text: (row) => row.sys_brand },
  { header: '设备型号', text: (row) => row.sys_model },
  { header: '系统版本', text: (row) => row.sys_version },
]

const CONNECTION: readonly SheetColumn<ConnectionRow>[] = [
  time('时间', 'create_time'),
  ...MEMBER,
  { header: '事件', text: (row) => (row.online === 1 ? '上线' : '下线') },
  { header: '原因', text: (row) => connectionReason(row.reason) },
  { header: '公网地址', text: (row) => row.remote_ip },
  { header: '端口', text: (row) => String(row.remote_port ?? '') },
  { header: '版本', text: (row) => row.version },
]

/** Duration as `HH:mm:ss`; hours may exceed 24. */
function clockText(seconds: number): string {
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60]
  return parts.map((part) => String(part).padStart(2, '0')).join(':')
}

const DIALLED: readonly SheetColumn<OnlineRow>[] = [
  { header: '来源地址', text: (row) => row.orig },
  { header: 'VPN地址', text: (row) => row.vpn_ip },
  time('开始时间', 'start_time'),
  time('结束时间', 'end_time'),
  { header: '在线时长', text: (row) => clockText(row.online_time) },
]
const P2P: readonly SheetColumn<OnlineRow>[] = [
  ...MEMBER,
  { header: '组网编号', text: (row) => row.network_number },
  { header: '组网名称', text: (row) => row.network_name },
  { header: '对端成员', width: WIDE, text: (row) => row.link_router_name },
  { header: '对端备注', text: (row) => row.link_note },
  ...DIALLED,
]
const POP: readonly SheetColumn<OnlineRow>[] = [
  ...MEMBER,
  { header: 'POP资源', text: (row) => row.pop_name },
  { header: '区域', text: (row) => row.area },
  ...DIALLED,
]

const AUDIT: readonly SheetColumn<AuditRow>[] = [
  time('操作时间', 'create_time'),
  { header: '操作人类型', text: (row) => ACTOR_WORD[row.actor_kind] },
  { header: '操作人', width: WIDE, text: (row) => row.actor_name },
  { header: '模块', text: (row) => moduleWord(row.module) },
  { header: '操作', text: (row) => actionWord(row.action) },
  { header: '对象', width: WIDE, text: (row) => row.target },
  { header: '说明', width: 40, text: (row) => row.message },
  { header: '变更内容', width: 60, text: (row) => marked(changesText(row.before, row.after, row)) },
  { header: 'IP', text: (row) => row.ip },
  { header: '请求编号', width: WIDE, text: (row) => row.request_id },
]

const CUT = '…（内容过长，已截断）'
/** Marks a text that is cut at Excel's limit of a cell. */
const marked = (text: string): string =>
  text.length <= WORKBOOK.cellMax ? text : text.slice(0, WORKBOOK.cellMax - CUT.length) + CUT

interface RowOf {
  readonly software_login: LoginRow
  readonly connect: ConnectionRow
  readonly online: OnlineRow
  readonly pop_online: OnlineRow
  readonly audit: AuditRow
}

/** Sheets of the exports. File names contain the title. */
export const LOG_SHEETS: {
  readonly [T in LogExport]: { readonly title: string; readonly columns: readonly SheetColumn<RowOf[T]>[] }
} = {
  software_login: { title: '登录记录', columns: LOGIN },
  connect: { title: '连接记录', columns: CONNECTION },
  online: { title: '拨号记录', columns: P2P },
  pop_online: { title: 'POP拨号记录', columns: POP },
  audit: { title: '操作审计', columns: AUDIT },
}

/** For example 登录记录_20260102150405.xlsx, in Shanghai time. */
export const logFileName = (type: LogExport, at: number): string =>
  `${LOG_SHEETS[type].title}_${timeText(at).replace(/\D/g, '')}.xlsx`
