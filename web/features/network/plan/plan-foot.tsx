import Button from '@douyinfe/semi-ui/lib/es/button'
import type { ReactNode } from 'react'
import { ERRORS } from '#contract/kernel/errors.ts'
import { NETWORK_TYPE } from '#contract/network/limits.ts'
import { countText } from '#lib/format/format-unit.ts'
import { useGrants } from '#lib/session/session.ts'
import { membersAfter, type PickerState, sizeOf, toRoles } from './picker/member-plan.ts'
import type { PlanOverlaps } from './plan-overlaps.ts'
import styles from './plan.module.css'

/* Foot of the forms that choose members: buttons, sum of the plan, and the notice of a conflict. */

interface PlanFootProps {
  readonly submitText: string
  readonly isBusy: boolean
  readonly canSave: boolean
  readonly onCancel: () => void
  readonly children: ReactNode
}

export function PlanFoot({ submitText, isBusy, canSave, onCancel, children }: PlanFootProps) {
  return (
    <div className={styles.foot}>
      <div className={styles.sum}>{children}</div>
      <Button disabled={isBusy} onClick={onCancel}>
        取消
      </Button>
      <Button htmlType="submit" theme="solid" type="primary" loading={isBusy} disabled={!canSave}>
        {submitText}
      </Button>
    </div>
  )
}

interface PlanSumProps {
  readonly state: PickerState
  readonly overlaps: PlanOverlaps
  /** Members of the network cannot be removed here; only new ones count as chosen. */
  readonly isAddOnly?: boolean
}

/** Sum of a plan (chosen, centres, seats, overlaps), announced as it changes: 已选 12 · 中心点 2/6 · 席位 222/300. */
export function PlanSum({ state, overlaps, isAddOnly = false }: PlanSumProps) {
  const { base, plan, quota } = state
  // A limited role does not see all networks of the members, so only the server knows their segments.
  const isLimited = useGrants().networks !== null
  const used = membersAfter(base, plan, quota)
  const [was, now] = [toRoles(base), toRoles(plan)]
  const added = [...now.keys()].filter((name) => !was.has(name)).length
  const removed = [...was.keys()].filter((name) => !now.has(name)).length
  const changes = [added > 0 && `新增 ${countText(added)}`, removed > 0 && `移除 ${countText(removed)}`].filter(Boolean)
  const isChanged = !isAddOnly && was.size > 0 && changes.length > 0
  return (
    <p className={styles.total} role="status">
      <span>
        已选 {countText(isAddOnly ? added : sizeOf(plan))}
        {isChanged && `（${changes.join('，')}）`}
      </span>
      {' · '}
      {state.networkType !== NETWORK_TYPE.pointToPoint && (
        <>
          <Share label="中心点" used={plan.center.length} limit={quota.centers} />
          {' · '}
        </>
      )}
      <Share label="席位" used={used} limit={quota.members} />
      {' · '}
      {overlaps.brought > 0 ? (
        <span className="nl-tone-bad">网段冲突 {countText(overlaps.brought)} 个成员</span>
      ) : (
        <span>{isLimited ? '网段在保存时检查' : '网段无冲突'}</span>
      )}
    </p>
  )
}

function Share({ label, used, limit }: { readonly label: string; readonly used: number; readonly limit: number }) {
  return (
    <span className={used > limit ? 'nl-tone-bad' : undefined}>
      {label} {countText(used)}/{countText(limit)}
    </span>
  )
}

/** Notice that somebody else has saved the network meanwhile. Its button applies the own changes on top. */
export function OutdatedNotice({ onTake }: { readonly onTake: () => void }) {
  return (
    <span className={styles.outdated} role="alert">
      {ERRORS.NETWORK_CHANGED.msg}。
      <Button theme="borderless" onClick={onTake}>
        合并最新成员后继续
      </Button>
    </span>
  )
}
