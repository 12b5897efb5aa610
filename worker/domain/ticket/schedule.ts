import { TICKET } from '#contract/ticket/limits.ts'
import { TICKET_STATUS, type TicketStatus } from '#contract/ticket/index.ts'

const DAY_MS = 86_400_000

/** Ticket columns that the cron reads. */
export interface Scheduled {
  readonly status: TicketStatus
  readonly answeredAt: number | null
  /** Since the last answer. */
  readonly warnedAt: number | null
  readonly deletedAt: number | null
}

type Task = 'warn' | 'close' | 'purge'
interface Step {
  readonly task: Task
  readonly at: number
}

/** 已回复 closes after days of silence, but never before its warning was out for a day; a deleted ticket is purged. */
export function nextStep({ status, answeredAt, warnedAt, deletedAt }: Scheduled): Step | null {
  if (deletedAt !== null) return { task: 'purge', at: deletedAt + TICKET.deletedDays * DAY_MS }
  if (status !== TICKET_STATUS.replied || answeredAt === null) return null
  const closeAt = answeredAt + TICKET.silentDays * DAY_MS
  const warningMs = TICKET.warningDays * DAY_MS
  if (warnedAt === null) return { task: 'warn', at: closeAt - warningMs }
  return { task: 'close', at: Math.max(closeAt, warnedAt + warningMs) }
}

export const dueTime = (scheduled: Scheduled): number | null => nextStep(scheduled)?.at ?? null
