import IconClose from '@douyinfe/semi-icons/lib/es/icons/IconClose'
import Button from '@douyinfe/semi-ui/lib/es/button'
import { type ReactNode, useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { STATUS_POLL_MS } from '#contract/kernel/limits.ts'
import { JOB_STATE_NAME, NETWORK_JOB_NAME } from '#contract/network/jobs.ts'
import { JOB_POLL_MS } from '#contract/network/limits.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { useLatest } from '#lib/use-latest.ts'
import { useDelayed } from '#ui/hooks/use-delays.ts'
import { Icon } from '#ui/state/state-icon.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { type Job, useJob } from '../api.ts'
import type { Member } from '../live-network.ts'
import {
  type Baseline,
  computeRollout,
  type RolloutStart,
  rolloutStep,
  rolloutText,
  toBaseline,
  toResent,
} from './rollout.ts'

/* Notices about work under way on devices: the roll-out of a change, and jobs such as a restart of tunnels. */

const SHOWN = 20
const SETTLED_AFTER_MS = 5_000 // the hubs of some devices may not know of the change yet

interface RolloutNoticeProps {
  readonly start: RolloutStart
  readonly members: readonly Member[]
  readonly onClose: () => void
}

export function RolloutNotice({ start, members, onClose }: RolloutNoticeProps) {
  const [isOpen, setOpen] = useState(false)
  const isSettled = useDelayed(true, SETTLED_AFTER_MS)
  const rollout = computeRollout(start, members)
  const open = members.filter((member) => !DONE.has(rolloutStep(start, member)))
  return (
    <ProgressNotice
      isUnderWay={rollout.pushing > 0 || !isSettled}
      hasFailed={rollout.failed > 0}
      onClose={onClose}
      action={
        open.length > 0 && (
          <Button theme="borderless" size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? '收起' : '未生效设备'}
          </Button>
        )
      }
    >
      {rolloutText(start.kind, rollout, isSettled)}
      {isOpen && open.length > 0 && <OpenDevices members={open} />}
    </ProgressNotice>
  )
}

const DONE: ReadonlySet<string | null> = new Set([null, 'applied'])

function OpenDevices({ members }: { readonly members: readonly Member[] }) {
  return (
    <ul>
      {members.slice(0, SHOWN).map((member) => (
        <li key={member.router_name}>
          {memberLabel(member)}
          {member.config.reason !== '' && <span className="nl-muted"> {member.config.reason}</span>}
        </li>
      ))}
      {members.length > SHOWN && <li className="nl-muted">另有 {members.length - SHOWN} 台，见成员列表</li>}
    </ul>
  )
}

export type PrepareRollout = ReturnType<typeof useRollout>['prepare']

/** Roll-out of the last change. After a navigation the baseline is in the location's state. */
export function useRollout(members: readonly Member[]) {
  const location = useLocation()
  const navigate = useNavigate()
  const latest = useLatest(members)
  const handed = (location.state as { baseline?: Baseline } | null)?.baseline
  const [start, setStart] = useState<RolloutStart | null>(
    handed === undefined ? null : { kind: 'saved', versions: handed },
  )
  const [changes, setChanges] = useState(0)
  // Navigation state survives a reload: clear it, or the reload would show the roll-out again.
  useEffect(() => {
    if (handed !== undefined) void navigate(location.pathname + location.search, { replace: true, state: null })
  }, [handed, navigate, location.pathname, location.search])
  return {
    /** Null when no roll-out is shown. */
    start,
    /** Number of changes so far; each change starts a new notice. */
    changes,
    /** Call before a change is sent, and call its result once it is saved: live frames may arrive before the reply. */
    prepare: (kind: RolloutStart['kind']) => {
      const before: RolloutStart =
        kind === 'resent' ? toResent(latest.current) : { kind, versions: toBaseline(latest.current) }
      return () => {
        setStart(before)
        setChanges((count) => count + 1)
      }
    },
    close: () => setStart(null),
  }
}

export interface StartedJob {
  readonly id: string
  readonly label: string
}

interface JobNoticeProps {
  readonly network: string
  readonly job: StartedJob
  readonly onClose: () => void
}

export function JobNotice({ network, job: { id, label }, onClose }: JobNoticeProps) {
  const { data, error } = useJob({ network_number: network, job_id: id }, pollMs)
  const job = data?.data
  const state = job?.state ?? 'accepted'
  return (
    <ProgressNotice
      isUnderWay={state === 'accepted' || state === 'queued'}
      hasFailed={state === 'failed'}
      onClose={onClose}
    >
      “{label}”{job && NETWORK_JOB_NAME[job.kind]}：{error && !job ? '结果暂时无法获取' : JOB_STATE_NAME[state]}
      {job && <JobDevices devices={job.devices} />}
    </ProgressNotice>
  )
}

/** Interval of the polls: long for a device that is offline, 0 after the result, which is final. */
const pollMs = (reply: { readonly data: Job } | undefined): number => {
  const state = reply?.data.state ?? 'accepted'
  return state === 'accepted' ? JOB_POLL_MS : state === 'queued' ? STATUS_POLL_MS : 0
}

/** List of the devices of a job. A single device is listed only if it has a reason. */
function JobDevices({ devices }: Pick<Job, 'devices'>) {
  if (devices.length < 2 && devices.every(({ reason }) => reason === '')) return null
  return (
    <ul>
      {devices.map(({ router_name, router_name_note, state, reason }) => (
        <li key={router_name}>
          {router_name_note || router_name}：{JOB_STATE_NAME[state]}
          {reason !== '' && <span className="nl-muted"> {reason}</span>}
        </li>
      ))}
    </ul>
  )
}

interface ProgressNoticeProps {
  readonly isUnderWay: boolean
  readonly hasFailed: boolean
  readonly action?: ReactNode
  readonly onClose: () => void
  readonly children: ReactNode
}

const GONE_AFTER_MS = 8_000

/** Notice of work on devices. It closes itself some seconds after all of them have finished. */
function ProgressNotice({ isUnderWay, hasFailed, action, onClose, children }: ProgressNoticeProps) {
  const isOver = !isUnderWay && !hasFailed
  const close = useLatest(onClose)
  useEffect(() => {
    if (!isOver) return
    const timer = setTimeout(() => close.current(), GONE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [isOver, close])
  return (
    <Notice
      role="status"
      {...(hasFailed && { tone: 'warn' })}
      icon={<ProgressIcon isUnderWay={isUnderWay} hasFailed={hasFailed} />}
      actions={
        <>
          {action}
          <Button theme="borderless" size="small" icon={<IconClose />} aria-label="关闭提示" onClick={onClose} />
        </>
      }
    >
      {children}
    </Notice>
  )
}

function ProgressIcon({ isUnderWay, hasFailed }: { readonly isUnderWay: boolean; readonly hasFailed: boolean }) {
  if (isUnderWay) return <Icon shape="arrow" tone="busy" />
  return hasFailed ? <Icon shape="cross" tone="warn" /> : <Icon shape="tick" tone="ok" />
}
