import Button from '@douyinfe/semi-ui/lib/es/button'
import { type KeyboardEvent, useMemo, useState } from 'react'
import { toMessage } from '#contract/kernel/errors.ts'
import { NETWORK_TYPE } from '#contract/network/limits.ts'
import { countText } from '#lib/format/format-unit.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { toast } from '#lib/toast/toast.ts'
import { DataTable } from '#ui/table/data-table.tsx'
import { AddMembers } from '#pages/network/list/empty-actions.tsx'
import type { MemberRole } from '#pages/network/network-text.ts'
import type { PlanOverlaps } from '../plan-overlaps.ts'
import { QuotaDialog } from '../quota-dialog.tsx'
import styles from './member-picker.module.css'
import { pickerColumns } from './picker-columns.tsx'
import { PickerTools, usePickerView } from './picker-view.tsx'
import {
  assign,
  checkAssign,
  isFull,
  type MemberOption,
  type PickerState,
  type Plan,
  toRoles,
  unassign,
} from './picker.ts'

interface MemberPickerProps {
  readonly state: PickerState
  readonly overlaps: PlanOverlaps
  readonly onChange: (plan: Plan) => void
  /** The candidates are still loading. */
  readonly isLoading?: boolean
  /** Hides members that are already in the network. */
  readonly isAddOnly?: boolean
  /** The live channel is down: the last known states are shown. */
  readonly isStale: boolean
}

const LOADING = { isValidating: true, mutate: () => {} }

/** Enter on a check box would send the form around the table. */
const keepForm = (event: KeyboardEvent) => {
  if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault()
}

/** Table of candidates: a check box chooses as a point, the role is set in the row. Every choice is checked first. */
export function MemberPicker(props: MemberPickerProps) {
  const { state, overlaps, onChange, isLoading = false, isAddOnly = false, isStale } = props
  const { base, plan, known, quota } = state
  const [isOverQuota, setOverQuota] = useState(false)
  const [roles, baseRoles] = useMemo(() => [toRoles(plan), toRoles(base)], [plan, base])
  const options = useMemo(
    () => [...known.values()].filter(({ router_name }) => !(isAddOnly && baseRoles.has(router_name))),
    [known, isAddOnly, baseRoles],
  )
  const overlapping = useMemo(() => new Set(overlaps.rows.keys()), [overlaps])
  const marks = useMemo(() => ({ roles, overlapping }), [roles, overlapping])
  const { query, list, rows, total, states } = usePickerView(options, marks)

  const assignAs = (names: readonly string[], role: MemberRole) => {
    const refused = checkAssign(state, names, role)
    if (refused === null) onChange(assign(plan, names, role))
    else if (refused.key === 'MEMBER_LIMIT_REACHED') setOverQuota(true)
    else toast.error(toMessage(refused))
  }
  const select = (keys: ReadonlySet<string>) => {
    const added = [...keys].filter((name) => !roles.has(name))
    const removed = [...roles.keys()].filter((name) => !keys.has(name))
    if (removed.length > 0) return onChange(unassign(plan, removed))
    const [only, ...more] = added
    // A member that is chosen again has the role that it had.
    if (only !== undefined) assignAs(added, more.length === 0 ? (baseRoles.get(only) ?? 'point') : 'point')
  }
  const canSelect = (option: MemberOption) => {
    const name = option.router_name
    return roles.has(name) || baseRoles.has(name) || (!quota.isSuspended && !isFull(option))
  }
  const free = rows.filter((option) => canSelect(option) && !roles.has(option.router_name))
  const chosen = options.filter(({ router_name }) => roles.has(router_name)).length
  return (
    <div className={styles.picker} onKeyPress={keepForm}>
      <PickerTools {...{ list, options, chosen, states, total }} overlapping={overlapping.size} />
      <DataTable
        label="成员"
        query={isLoading ? LOADING : query}
        columns={pickerColumns({
          roles,
          baseRoles,
          overlaps,
          isStale,
          hasCenters: state.networkType !== NETWORK_TYPE.pointToPoint,
          onRole: (name, role) => assignAs([name], role),
        })}
        rowKey={({ router_name }) => router_name}
        rowName={memberLabel}
        list={list}
        selection={{ keys: new Set(roles.keys()), onChange: select, actions: null, canSelect }}
        empty={{ title: '没有可添加的成员', hint: '先在成员列表中添加硬件或软件成员。', action: <AddMembers /> }}
      />
      {rows.length > list.limit && free.length > 0 && (
        <Button
          className={styles.all ?? ''}
          theme="borderless"
          onClick={() =>
            assignAs(
              free.map(({ router_name }) => router_name),
              'point',
            )
          }
        >
          选择全部 {countText(free.length)} 个
        </Button>
      )}
      {isOverQuota && <QuotaDialog limit={quota.members} onClose={() => setOverQuota(false)} />}
    </div>
  )
}
