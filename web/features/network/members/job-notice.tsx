import IconClose from '@douyinfe/semi-icons/lib/es/icons/IconClose'
import Button from '@douyinfe/semi-ui/lib/es/button'
import { useEffect } from 'react'
import { STATUS_POLL_MS } from '#contract/kernel/limits.ts'
import { JOB_STATE_NAME, type JobState, NETWORK_JOB_NAME } from '#contract/network/jobs.ts'
import { useLatest } from '#lib/use-latest.ts'
import { Icon } from '#ui/state/icon.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { type Job, useJob } from '../api.ts'
import { JOB_POLL_MS } from '#contract/network/limits.ts'

const GONE_AFTER_MS = 8_000

export interface StartedJob {
  readonly id: string
  /** Name of the member that the job was asked for. */
  readonly label: string
}

interface JobNoticeProps {
  readonly network: string
  readonly job: StartedJob
  readonly onClose: () => void
}

/** Notice of a request to devices. It closes itself once all have done it; while one is offline it is asked seldom. */
export function JobNotice({ network, job: { id, label }, onClose }: JobNoticeProps) {
  const input = { network_number: network, job_id: id }
  const { data, error } = useJob(input, pollMs)
  const job = data?.data
  const state = job?.state ?? 'accepted'
  const close = useLatest(onClose)
  useEffect(() => {
    if (state !== 'done') return
    const timer = setTimeout(() => close.current(), GONE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [state, close])
  return (
    <Notice
      role="status"
      {...(state === 'failed' && { tone: 'warn' })}
      icon={<JobIcon state={state} />}
      actions={<Button theme="borderless" size="small" icon={<IconClose />} aria-label="关闭提示" onClick={onClose} />}
    >
      “{label}”{job && NETWORK_JOB_NAME[job.kind]}：{error && !job ? '结果暂时无法获取' : JOB_STATE_NAME[state]}
      {job && <JobDevices devices={job.devices} />}
    </Notice>
  )
}

/** A result is final; a device that is offline may stay so for long. */
const pollMs = (reply: { readonly data: Job } | undefined): number => {
  const state = reply?.data.state ?? 'accepted'
  return state === 'accepted' ? JOB_POLL_MS : state === 'queued' ? STATUS_POLL_MS : 0
}

/** Devices of a job, each by itself; a single one only with a reason. */
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

function JobIcon({ state }: { readonly state: JobState }) {
  if (state === 'done') return <Icon shape="tick" tone="ok" />
  return state === 'failed' ? <Icon shape="cross" tone="warn" /> : <Icon shape="arrow" tone="busy" />
}
