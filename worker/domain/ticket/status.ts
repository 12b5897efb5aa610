import { TICKET } from '#contract/ticket/limits.ts'
import { type Violation, violation } from '#contract/kernel/result.ts'
import { TICKET_STATUS, TICKET_STATUS_WORD, type TicketStatus } from '#contract/ticket/index.ts'
import { DAY_MS } from '#contract/kernel/time.ts'

/* Status of a support ticket: steps by people, and by time. */

const { waiting, processing, replied, closed } = TICKET_STATUS

export interface TicketState {
  readonly status: TicketStatus
  /** Null until it is appraised. */
  readonly grade: number | null
  /** Null while it is open. */
  readonly closedAt: number | null
}

/** Status after a reply; a closed ticket takes none (infra/docs/decisions.md). */
const AFTER_REPLY: Readonly<Record<'customer' | 'adviser', Readonly<Record<TicketStatus, TicketStatus | null>>>> = {
  customer: { 1: waiting, 2: processing, 3: processing, 4: null },
  adviser: { 1: replied, 2: replied, 3: replied, 4: null },
}
export const statusAfterReply = (side: 'customer' | 'adviser', status: TicketStatus): TicketStatus | null =>
  AFTER_REPLY[side][status]

interface Conversation extends TicketState {
  readonly replies: number
}

/** An appraised ticket is closed, so it takes no reply either (account 4). */
export function checkReply({ status, grade, replies }: Conversation): Violation | null {
  if (status === closed || grade !== null) return violation('TICKET_CLOSED')
  return replies >= TICKET.repliesMax ? violation('TICKET_FULL', { limit: TICKET.repliesMax }) : null
}

/** Allowed once, in every status: 关闭问题并评价 (close and rate) is also for a problem that solved itself (account 2, 4). */
export const checkAppraise = ({ grade }: TicketState): Violation | null =>
  grade === null ? null : violation('TICKET_APPRAISED')

export function checkReopen({ status, grade, closedAt }: TicketState, now: number): Violation | null {
  if (status !== closed) return violation('TICKET_NOT_CLOSED')
  if (grade !== null) return violation('TICKET_REOPEN_APPRAISED')
  const isLate = closedAt !== null && now - closedAt > TICKET.reopenDays * DAY_MS
  return isLate ? violation('TICKET_REOPEN_LATE', { days: TICKET.reopenDays }) : null
}

const DELETABLE: readonly TicketStatus[] = [waiting, closed]
export const checkDelete = ({ status }: Pick<TicketState, 'status'>): Violation | null =>
  DELETABLE.includes(status) ? null : violation('TICKET_NOT_DELETABLE', { status: TICKET_STATUS_WORD[status] })

/** Steps of the operator. Only a reply gives the status 已回复 (replied). An appraised ticket stays closed. */
const STEPS: Readonly<Record<TicketStatus, readonly TicketStatus[]>> = {
  [waiting]: [processing, closed],
  [processing]: [closed],
  [replied]: [processing, closed],
  [closed]: [processing],
}
export function checkStep({ status, grade }: TicketState, next: TicketStatus): Violation | null {
  if (status === closed && grade !== null) return violation('TICKET_REOPEN_APPRAISED')
  const words = { status: TICKET_STATUS_WORD[status], next: TICKET_STATUS_WORD[next] }
  return STEPS[status].includes(next) ? null : violation('TICKET_STEP', words)
}

interface Scheduled {
  readonly status: TicketStatus
  readonly answeredAt: number | null
  /** Time of the warning since the last answer. */
  readonly warnedAt: number | null
  readonly deletedAt: number | null
}

type Task = 'warn' | 'close' | 'purge'
interface Step {
  readonly task: Task
  readonly at: number
}

/** A replied ticket closes after silent days, but never before its warning was out for a day. A deleted one is purged. */
export function nextStep({ status, answeredAt, warnedAt, deletedAt }: Scheduled): Step | null {
  if (deletedAt !== null) return { task: 'purge', at: deletedAt + TICKET.deletedDays * DAY_MS }
  if (status !== TICKET_STATUS.replied || answeredAt === null) return null
  const closeAt = answeredAt + TICKET.silentDays * DAY_MS
  const warningMs = TICKET.warningDays * DAY_MS
  if (warnedAt === null) return { task: 'warn', at: closeAt - warningMs }
  return { task: 'close', at: Math.max(closeAt, warnedAt + warningMs) }
}

export const dueTime = (scheduled: Scheduled): number | null => nextStep(scheduled)?.at ?? null
