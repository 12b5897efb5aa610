import type { HubFrame } from '../../worker/contract/protocol.ts'
import { CLOSE } from '../../worker/contract/protocol.ts'
import type { Pending } from './traffic-log.ts'

/** What the device's socket remembers while the hub sleeps. */
export interface DeviceSeat {
  readonly epoch: number
  readonly serial: string
  /** When it was accepted or last sent counters. */
  readonly heardAt: number
  readonly pending: Pending | null
}

const TAG = 'device'

/** The device's socket: the one of the present epoch, whatever else the platform still lists. */
export class DeviceLine {
  private readonly ctx: DurableObjectState
  private readonly epoch: () => number
  private frameAt = 0

  constructor(ctx: DurableObjectState, epoch: () => number) {
    this.ctx = ctx
    this.epoch = epoch
  }

  current(): WebSocket | null {
    const isCurrent = (socket: WebSocket) =>
      socket.readyState === WebSocket.OPEN && seatOf(socket).epoch === this.epoch()
    return this.ctx.getWebSockets(TAG).find(isCurrent) ?? null
  }

  /** Takes over; every older socket of the device is closed. */
  accept(socket: WebSocket, seat: DeviceSeat): void {
    const older = this.ctx.getWebSockets(TAG)
    this.ctx.acceptWebSocket(socket, [TAG])
    socket.serializeAttachment(seat)
    this.frameAt = 0
    for (const old of older) old.close(CLOSE.superseded, 'superseded')
  }

  /** When the device gave its last sign of life; null without a socket. Answered pings leave a time and wake nobody. */
  heardAt(): number | null {
    const socket = this.current()
    if (!socket) return null
    const pingedAt = this.ctx.getWebSocketAutoResponseTimestamp(socket)?.getTime() ?? 0
    return Math.max(pingedAt, seatOf(socket).heardAt, this.frameAt)
  }

  heard(now: number): void {
    this.frameAt = now
  }

  /** False where the frame could not leave. */
  send(frame: HubFrame): boolean {
    try {
      const socket = this.current()
      socket?.send(JSON.stringify(frame))
      return socket !== null
    } catch {
      return false
    }
  }

  close(code: number, reason: string): void {
    this.current()?.close(code, reason)
  }

  /** Traffic that is not stored yet outlasts the hub's sleep on the socket. */
  keep(pending: Pending): void {
    const socket = this.current()
    const { frameAt: heardAt } = this
    socket?.serializeAttachment({ ...seatOf(socket), heardAt, pending } satisfies DeviceSeat)
  }

  pending(): Pending | null {
    const socket = this.current()
    return socket ? seatOf(socket).pending : null
  }
}

export const seatOf = (socket: WebSocket): DeviceSeat => socket.deserializeAttachment() as DeviceSeat

/** Why a socket closed, for the connection log. */
export function closeReason(code: number): string {
  return CLOSE_REASON[code] ?? `连接关闭（${code}）`
}

const CLOSE_REASON: Readonly<Record<number, string>> = {
  1000: '设备主动断开',
  1001: '设备正在停止',
  1005: '设备主动断开',
  1006: '连接中断',
  [CLOSE.protocol]: '设备发送的内容不符合协议',
  [CLOSE.tooOften]: '设备发送过于频繁',
}
