import IconClose from '@douyinfe/semi-icons/lib/es/icons/IconClose'
import Button from '@douyinfe/semi-ui/lib/es/button'
import { useEffect, useState } from 'react'
import { memberLabel } from '#lib/format/member-label.ts'
import { Icon } from '#ui/state/icon.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { useDelayed } from '#ui/hooks/use-delays.ts'
import type { Member } from '../projection.ts'
import { computeRollout, rolloutStep, type RolloutStart, rolloutText } from './rollout.ts'

const SHOWN = 20
const GONE_AFTER_MS = 8_000
const SETTLED_AFTER_MS = 5_000 // the hubs of some devices may not know of the change yet

interface RolloutNoticeProps {
  readonly start: RolloutStart
  readonly members: readonly Member[]
  readonly onClose: () => void
}

/** Progress of a change, device by device. It closes itself once every online device has applied it. */
export function RolloutNotice({ start, members, onClose }: RolloutNoticeProps) {
  const [isOpen, setOpen] = useState(false)
  const isSettled = useDelayed(true, SETTLED_AFTER_MS)
  const rollout = computeRollout(start, members)
  const isUnderWay = rollout.pushing > 0 || !isSettled
  const isOver = !isUnderWay && rollout.failed === 0
  useEffect(() => {
    if (!isOver) return
    const timer = setTimeout(onClose, GONE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [isOver, onClose])
  const open = members.filter((member) => !DONE.has(rolloutStep(start, member)))
  return (
    <Notice
      role="status"
      {...(rollout.failed > 0 && { tone: 'warn' })}
      icon={<RolloutIcon isUnderWay={isUnderWay} hasFailed={rollout.failed > 0} />}
      actions={
        <>
          {open.length > 0 && (
            <Button theme="borderless" size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              {isOpen ? '收起' : '未生效设备'}
            </Button>
          )}
          <Button theme="borderless" size="small" icon={<IconClose />} aria-label="关闭提示" onClick={onClose} />
        </>
      }
    >
      {rolloutText(start.kind, rollout, isSettled)}
      {isOpen && open.length > 0 && <OpenDevices members={open} />}
    </Notice>
  )
}

const DONE: ReadonlySet<string | null> = new Set([null, 'applied'])

function RolloutIcon({ isUnderWay, hasFailed }: { readonly isUnderWay: boolean; readonly hasFailed: boolean }) {
  if (isUnderWay) return <Icon shape="arrow" tone="busy" />
  return hasFailed ? <Icon shape="cross" tone="warn" /> : <Icon shape="tick" tone="ok" />
}

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
