import IconClose from '@douyinfe/semi-icons/lib/es/icons/IconClose'
import Button from '@douyinfe/semi-ui/lib/es/button'
import { useCallback, useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { memberLabel } from '#lib/format/member-label.ts'
import { useLatest } from '#lib/use-latest.ts'
import { useDelayed } from '#ui/hooks/use-delayed.ts'
import { Icon } from '#ui/state/icon.tsx'
import { Notice } from '#ui/state/notice.tsx'
import type { Member } from '../projection.ts'
import {
  type Baseline,
  computeRollout,
  type RolloutStart,
  rolloutStep,
  rolloutText,
  toBaseline,
  toResent,
} from './rollout.ts'

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

interface RolloutWatch {
  /** Baseline of the last change; null when no roll-out is shown. */
  readonly start: RolloutStart | null
  /** Changes so far: another one starts another notice. */
  readonly changes: number
  /** Call before a change is sent, and call its result once it is saved: live frames may arrive before the reply. */
  readonly prepare: PrepareRollout
  readonly close: () => void
}

/** `resent`: no version moves. */
export type PrepareRollout = (kind: RolloutStart['kind']) => () => void

/** Roll-out of the last change; after a navigation the baseline comes with the location's state. */
export function useRollout(members: readonly Member[]): RolloutWatch {
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
    start,
    changes,
    prepare: (kind) => {
      const before: RolloutStart =
        kind === 'resent' ? toResent(latest.current) : { kind, versions: toBaseline(latest.current) }
      return () => {
        setStart(before)
        setChanges((count) => count + 1)
      }
    },
    close: useCallback(() => setStart(null), []),
  }
}
