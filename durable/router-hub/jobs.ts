import type { AgentFrame } from '../../worker/contract/protocol.ts'

/** A command for the device, in the order it was asked for. Sent at least once; its id makes a repeat harmless. */
export interface Job {
  readonly id: string
  readonly kind: string
  readonly params: Readonly<Record<string, unknown>>
  readonly expiresAt: number
  readonly state: 'pending' | 'done' | 'failed' | 'expired'
  readonly reason: string
}

const KEPT = 20

export function addJob(jobs: readonly Job[], job: Omit<Job, 'state' | 'reason'>): readonly Job[] {
  return [...jobs, { ...job, state: 'pending' as const, reason: '' }].slice(-KEPT)
}

export const pendingJobs = (jobs: readonly Job[], now: number): readonly Job[] =>
  jobs.filter((job) => job.state === 'pending' && job.expiresAt > now)

/** The first answer counts; an id nobody asked for is ignored. */
export function finishJob(jobs: readonly Job[], { id, state, reason = '' }: JobResult): readonly Job[] {
  if (!jobs.some((job) => job.id === id && job.state === 'pending')) return jobs
  return jobs.map((job) => (job.id === id ? { ...job, state, reason } : job))
}
type JobResult = Extract<AgentFrame, { t: 'job_result' }>

export function expireJobs(jobs: readonly Job[], now: number): readonly Job[] {
  const isOver = (job: Job) => job.state === 'pending' && job.expiresAt <= now
  return jobs.some(isOver) ? jobs.map((job) => (isOver(job) ? { ...job, state: 'expired' } : job)) : jobs
}

export function jobsDue(jobs: readonly Job[]): number | null {
  const times = jobs.filter((job) => job.state === 'pending').map((job) => job.expiresAt)
  return times.length > 0 ? Math.min(...times) : null
}
