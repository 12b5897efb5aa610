import IconClose from '@douyinfe/semi-icons/lib/es/icons/IconClose'
import Button from '@douyinfe/semi-ui/lib/es/button'
import { useEffect, useState } from 'react'
import { memberLabel } from '../../../lib/member-label.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { useDelayed } from '../../../ui/use-delayed.ts'
import type { Member } from '../projection.ts'
import { type Baseline, computeRollout, rolloutText } from '../rollout.ts'

const SHOWN = 20
const GONE_AFTER_MS = 8_000
const SETTLED_AFTER_MS = 3_000 // the push to the first device may still be on its way

interface RolloutNoticeProps {
  readonly baseline: Baseline
  readonly members: readonly Member[]
  readonly onClose: () => void
}

/** Progress of a saved change, device by device; closes itself once it is applied everywhere. */
export function RolloutNotice({ baseline, members, onClose }: RolloutNoticeProps) {
  const [isOpen, setOpen] = useState(false)
  const isSettled = useDelayed(true, SETTLED_AFTER_MS)
  const rollout = computeRollout(baseline, members)
  const isEverywhere = rollout.applied === rollout.total && (rollout.total > 0 || isSettled)
  useEffect(() => {
    if (!isEverywhere) return
    const timer = setTimeout(onClose, GONE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [isEverywhere, onClose])
  const open = members.filter(
    ({ router_name, config }) =>
      config.state !== 'none' && config.state !== 'applied' && config.version > (baseline[router_name] ?? -1),
  )
  return (
    <Notice
      role="status"
      icon={<Icon shape={isEverywhere ? 'tick' : 'arrow'} tone={isEverywhere ? 'ok' : 'busy'} />}
      actions={
        <>
          {open.length > 0 && (
            <Button theme="borderless" size="small" onClick={() => setOpen(!isOpen)}>
              {isOpen ? '收起' : '未生效设备'}
            </Button>
          )}
          <Button theme="borderless" size="small" icon={<IconClose />} aria-label="关闭提示" onClick={onClose} />
        </>
      }
    >
      {rollout.total === 0 && !isSettled ? '已保存，正在确认需要下发的设备' : rolloutText(rollout)}
      {isOpen && open.length > 0 && (
        <ul>
          {open.slice(0, SHOWN).map((member) => (
            <li key={member.router_name}>
              {memberLabel(member)}
              {member.config.reason !== '' && <span className="nl-muted"> {member.config.reason}</span>}
            </li>
          ))}
          {open.length > SHOWN && <li className="nl-muted">另有 {open.length - SHOWN} 台，见成员列表</li>}
        </ul>
      )}
    </Notice>
  )
}
