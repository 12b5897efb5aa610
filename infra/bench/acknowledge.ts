import { STREAM } from '#contract/kernel/hub-limits.ts'

/** Acknowledges live frames as a console does: of traffic every third one, of others each. */
export function createAcknowledger(send: (text: string) => void): (frame: { type: string; seq: number }) => void {
  let unacknowledged = 0
  return ({ type, seq }) => {
    unacknowledged += 1
    if (type === 'interface' && unacknowledged < STREAM.ackFrames) return
    unacknowledged = 0
    send(JSON.stringify({ type: 'ack', seq }))
  }
}
