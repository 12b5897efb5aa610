import { LDAP_SYNC, type RunPhase } from '#contract/ldap/limits.ts'
import { kindNamed } from '#domain/ldap/directory-kind.ts'
import { STOP_TEXT } from '#domain/ldap/run.ts'
import type { Hardware, SyncStatus } from './api.ts'

/* Words of the LDAP pages: modes, server kinds, run phases and service state. */

export const MODE_WORD = { public: '公网', private: '内网' } as const

export const syncModeWord = (mode: number): string => (mode === LDAP_SYNC.automatic ? '自动同步' : '手动同步')
export const SYNC_MODES = [LDAP_SYNC.manual, LDAP_SYNC.automatic].map((value) => ({
  value,
  label: syncModeWord(value),
}))

export const serverWord = (kind: string): string => kindNamed(kind).word

/** Reason for which no directory can be reached through a device now; null if it may lead there. */
export function whyNoTunnel({ status, online, tunnel }: Pick<Hardware, 'status' | 'online' | 'tunnel'>): string | null {
  if (status === 0) return '已停用'
  if (tunnel === 0) return '设备版本过低'
  return online === 0 ? '不在线' : null
}

export const PHASE_WORD: Readonly<Record<RunPhase, string>> = {
  waiting: '等待开始',
  listing: '正在读取目录用户',
  comparing: '正在比对成员',
  writing: '正在写入成员',
  asking: '等待确认',
  done: '已完成',
  failed: '失败',
}

const RUN_WORD: Readonly<Record<string, string>> = {
  list: '读取目录',
  sync: '同步',
  import: '导入',
  remove: '移除',
  undo: '撤销',
  close: '关闭接入',
}
export const runWord = (kind: string): string => RUN_WORD[kind] ?? kind

const STOP_WORD: Readonly<Record<string, string>> = {
  ...STOP_TEXT,
  first: '这是配置变更后的首次同步',
}
export const stopWord = (stop: string): string => STOP_WORD[stop] ?? stop

export interface ServiceState {
  readonly word: '正常' | '警告' | '错误'
  readonly tone: 'ok' | 'warn' | 'bad'
}

/** State of the automatic synchronisation. */
export function serviceState({ service, run }: SyncStatus): ServiceState {
  if (service.status === 0) return { word: '错误', tone: 'bad' }
  if (run?.state === 'asking') return { word: '警告', tone: 'warn' }
  return { word: '正常', tone: 'ok' }
}
