import { CLIENT_ERRORS } from '#contract/client/errors.ts'
import { DIAL_TOKEN } from '#contract/client/limits.ts'
import { DIAL_REQUEST } from '#contract/kernel/hub-limits.ts'
import type { AgentFrame, DialRequest } from '#contract/kernel/protocol.ts'
import type { Clock } from '../clock.ts'

/* Asks the hub for each dial of a software member. Requests wait on the device, so that the hub's frame limit holds. */

/** Dial into a service of this device. */
export type Dialling = Omit<DialRequest, 't' | 'id'>

export interface DialDecision {
  readonly ok: boolean
  /** Sentence for the person who dials; empty if the dial is allowed. */
  readonly reason: string
  /** Key of a refusal in the catalogue. Absent: an earlier hub. */
  readonly cause?: string | undefined
  /** Profile and credential version of an allowed dial, which its renewed session names again. Null: not known. */
  readonly profile?: number | null | undefined
  readonly credential_version?: number | null | undefined
}

/** Refusal by this device itself. */
export const refuseDial = (cause: 'DIAL_AWAY' | 'DIAL_BUSY' | 'DIAL_PENDING' | 'DIAL_TOKEN_EXPIRED'): DialDecision => ({
  ok: false,
  reason: CLIENT_ERRORS[cause].msg,
  cause,
})

const AWAY = refuseDial('DIAL_AWAY')

interface DialRequestsDeps {
  readonly clock: Clock
  send(frame: AgentFrame): void
}

interface Waiting {
  readonly id: string
  readonly dialling: Dialling
  decide(decision: DialDecision): void
}

export class DialRequests {
  private readonly deps: DialRequestsDeps
  private readonly queue: Waiting[] = []
  private readonly open = new Map<string, Waiting>()
  private next = 0
  private isUp = false
  private isPaced = false

  constructor(deps: DialRequestsDeps) {
    this.deps = deps
  }

  connected(): void {
    this.isUp = true
    this.pump()
  }

  /** Open requests are lost with the connection; their clients try again. */
  disconnected(): void {
    this.isUp = false
    for (const one of [...this.open.values(), ...this.queue]) this.settle(one, AWAY)
  }

  /** Resolves with the hub's answer; without one in time it refuses the dial. Never rejects. */
  ask(dialling: Dialling): Promise<DialDecision> {
    if (!this.isUp) return Promise.resolve(AWAY)
    if (this.queue.length >= DIAL_REQUEST.queueMax) return Promise.resolve(refuseDial('DIAL_BUSY'))
    return new Promise((decide) => {
      const one = { id: String(++this.next), dialling, decide }
      this.queue.push(one)
      this.deps.clock.after(DIAL_REQUEST.answerMs, () => this.settle(one, AWAY))
      this.pump()
    })
  }

  answered(id: string, decision: DialDecision): void {
    const one = this.open.get(id)
    if (one) this.settle(one, decision)
  }

  private settle(one: Waiting, decision: DialDecision): void {
    const waiting = this.queue.indexOf(one)
    if (waiting >= 0) this.queue.splice(waiting, 1)
    else if (!this.open.delete(one.id)) return // settled before
    one.decide(decision)
    this.pump()
  }

  private pump(): void {
    if (!this.isUp || this.isPaced || this.open.size >= DIAL_TOKEN.openMax) return
    const one = this.queue.shift()
    if (!one) return
    this.open.set(one.id, one)
    this.deps.send({ t: 'client_auth', id: one.id, ...one.dialling })
    this.isPaced = true
    this.deps.clock.after(DIAL_REQUEST.gapMs, () => {
      this.isPaced = false
      this.pump()
    })
  }
}
