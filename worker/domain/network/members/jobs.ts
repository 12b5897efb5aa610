import { DEVICE_JOB_KINDS, type DeviceJobKind, type JobState, type NetworkJobKind } from '#contract/network/jobs.ts'
import type { ConfigView, PresenceView } from '#contract/kernel/protocol.ts'
import { isOnline } from '#domain/health/member.ts'
import { type LinkSettings, type NamedNode, centerLinkEnds } from './links.ts'
import { JOB } from '#contract/network/limits.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'

/* Operations on members (jobs): devices that take part, required capabilities, and the state of a job. */

/** Devices that a member dials. They hold its sessions, like the POP nodes of its areas (`nodesOf`). */
export function sessionServers<T extends NamedNode>(
  member: T,
  members: readonly T[],
  settings: LinkSettings,
): readonly T[] {
  const { routerId, memberType } = member
  const twin = centerLinkEnds(settings.centerLink, members)
  const dialled = new Set(settings.pointLinks.filter((link) => link.clientId === routerId).map((l) => l.serverId))
  return members.filter(
    (other) =>
      other.routerType === ROUTER_TYPE.hardware &&
      ((memberType === 'point' && other.memberType === 'center') ||
        (twin?.client.routerId === routerId && twin.server === other) ||
        dialled.has(other.routerId)),
  )
}

export const jobCapability = (kind: DeviceJobKind): string => `job:${kind}`

export const JOB_CAPABILITIES: readonly string[] = DEVICE_JOB_KINDS.map(jobCapability)

export const unsupportedJobs = (capabilities: readonly string[]): readonly string[] =>
  JOB_CAPABILITIES.filter((name) => !capabilities.includes(name))

interface StoredJob {
  readonly kind: NetworkJobKind
  readonly state: 'pending' | 'done' | 'failed' | 'expired'
  readonly reason: string
  readonly createdAt: number
  readonly expiresAt: number
}

interface Device {
  readonly presence: PresenceView
  readonly config: ConfigView
}

export const JOB_EXPIRED = `设备未在${JOB.waitMs / 3_600_000}小时内上线，操作已取消`

export function toJobState(job: StoredJob, device: Device, now: number): { state: JobState; reason: string } {
  if (job.kind === 'resend') return toResendState(job, device)
  if (job.state === 'done') return { state: 'done', reason: job.reason }
  if (job.state === 'failed') return { state: 'failed', reason: job.reason }
  if (job.state === 'expired' || job.expiresAt <= now) return { state: 'failed', reason: job.reason || JOB_EXPIRED }
  return { state: isOnline(device.presence) ? 'accepted' : 'queued', reason: '' }
}

/** State of a resend, read from configuration changes since the request. It has no time limit. */
function toResendState({ createdAt }: StoredJob, { presence, config }: Device): { state: JobState; reason: string } {
  const isStarted = config.at !== null && config.at >= createdAt
  if (!isStarted) return { state: isOnline(presence) ? 'accepted' : 'queued', reason: '' }
  if (config.state === 'applied') return { state: 'done', reason: '' }
  if (config.state === 'queued') return { state: 'queued', reason: '' }
  return config.state === 'pushing' ? { state: 'accepted', reason: '' } : { state: 'failed', reason: config.reason }
}

const WORST: readonly JobState[] = ['failed', 'queued', 'accepted', 'done']

export const worstState = (states: readonly JobState[]): JobState =>
  WORST.find((state) => states.includes(state)) ?? 'done'
