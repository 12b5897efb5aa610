import { CLOSE } from '#contract/kernel/protocol.ts'

/* Words for the close codes of device connections. */

const UNKNOWN = '连接中断'
const CLOSE_REASON: Readonly<Record<number, string>> = {
  1000: '设备主动断开',
  1001: '设备正在停止',
  1005: '设备主动断开',
  1006: UNKNOWN,
  [CLOSE.restart]: '服务端重启',
  [CLOSE.superseded]: '同一设备建立了新的连接',
  [CLOSE.protocol]: '设备发送的内容不符合协议',
  [CLOSE.silent]: '连接长时间没有数据',
  [CLOSE.tooOften]: '设备发送过于频繁',
  [CLOSE.removed]: '设备已停用或密钥已重置',
}

export const closeReason = (code: number): string => CLOSE_REASON[code] ?? UNKNOWN

/** Reason of a line in the connection log. Earlier releases stored some close codes as numbers. */
export function connectionReason(stored: string): string {
  const [, code] = /^连接关闭（(\d+)）$/.exec(stored) ?? []
  return code === undefined ? stored : closeReason(Number(code))
}
