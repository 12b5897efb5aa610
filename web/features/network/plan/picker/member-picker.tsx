import Button from '@douyinfe/semi-ui/lib/es/button'
import { type KeyboardEvent, useMemo, useState } from 'react'
import { toMessage } from '#contract/kernel/errors.ts'
import { PRESENCE_WORD } from '#contract/kernel/states.ts'
import { NETWORK, NETWORK_TYPE, MEMBER_ROLE_NAME } from '#contract/network/limits.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { countText } from '#lib/format/format-unit.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { toast } from '#lib/toast/toast.ts'
import { Segmented } from '#ui/form/segmented.tsx'
import { PresenceCell } from '#ui/member/member-badges.tsx'
import { MemberIdentity } from '#ui/member/member-identity.tsx'
import { DataTable } from '#ui/table/data-table.tsx'
import { FirstOf, firstOfText } from '#ui/table/count-cells.tsx'
import type { Column } from '#ui/table/table-column.ts'
import { AddMembers } from '#pages/network/list/empty-actions.tsx'
import { readCandidates } from '#pages/network/api.ts'
import type { MemberRole } from '#pages/network/network-text.ts'
import { isMovable, overlapRowText, type PlanOverlaps } from '../plan-overlaps.ts'
import { QuotaDialog } from '../quota-dialog.tsx'
import styles from './member-picker.module.css'
import { PasteDialog, type PasteResult } from './paste-dialog.tsx'
import { PickerTools, usePickerView } from './picker-view.tsx'
import { isHeldByBrowser, type PickerMembers, toOptions } from './use-picker-members.ts'
import {
  assign,
  checkAssign,
  isFull,
  type MemberOption,
  type PickerState,
  type Plan,
  toRoles,
  unassign,
} from './member-plan.ts'

/* Table in which members of a network are chosen: check boxes, roles and overlaps of segments. */

interface MemberPickerProps {
  readonly state: PickerState
  readonly members: PickerMembers
  readonly overlaps: PlanOverlaps
  readonly onChange: (plan: Plan) => void
  readonly isLoading?: boolean
}

const LOADING = { isValidating: true, mutate: () => {} }
const NONE: ReadonlySet<string> = new Set()

/** Enter on a check box would submit the form around the table. */
const keepForm = (event: KeyboardEvent) => {
  if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault()
}

/** A check box chooses a member as a point; its row sets the role. Every choice is checked before it is taken. */
export function MemberPicker({ state, members, overlaps, onChange, isLoading = false }: MemberPickerProps) {
  const { base, plan, known, quota } = state
  const { isStale, isAddOnly } = members
  const [isOverQuota, setOverQuota] = useState(false)
  const [pasted, setPasted] = useState<string | null>(null)
  const [roles, baseRoles] = useMemo(() => [toRoles(plan), toRoles(base)], [plan, base])
  const marks = useMemo(
    () => ({ roles, overlapping: new Set(overlaps.rows.keys()), left: isAddOnly ? new Set(baseRoles.keys()) : NONE }),
    [roles, baseRoles, overlaps, isAddOnly],
  )
  const { query, list, total, states, kinds } = usePickerView(members, marks)

  /** Returns if the choice was taken. `found` are members that no page has shown. */
  const assignAs = (names: readonly string[], role: MemberRole, found: readonly MemberOption[] = []): boolean => {
    const all = new Map([...known, ...found.map((option) => [option.router_name, option] as const)])
    const refused = checkAssign({ ...state, known: all }, names, role)
    if (refused === null) onChange(assign(plan, names, role))
    else if (refused.key === 'MEMBER_LIMIT_REACHED') setOverQuota(true)
    else toast.error(toMessage(refused))
    return refused === null
  }
  const select = (keys: ReadonlySet<string>) => {
    const added = [...keys].filter((name) => !roles.has(name))
    const removed = [...roles.keys()].filter((name) => !keys.has(name))
    if (removed.length > 0) return onChange(unassign(plan, removed))
    const [only, ...more] = added
    // A member that is chosen again gets its saved role back.
    if (only !== undefined) assignAs(added, more.length === 0 ? (baseRoles.get(only) ?? 'point') : 'point')
  }
  const canSelect = (option: MemberOption) => {
    const name = option.router_name
    return roles.has(name) || baseRoles.has(name) || (!quota.isSuspended && !isFull(option))
  }
  const addMany = (found: readonly MemberOption[]): PasteResult | null => {
    const fresh = found.filter(({ router_name }) => !roles.has(router_name))
    const open = fresh.filter((option) => baseRoles.has(option.router_name) || !isFull(option))
    const names = open.map(({ router_name }) => router_name)
    if (names.length > 0 && !assignAs(names, 'point', open)) return null
    return { added: names.length, present: found.length - fresh.length, full: fresh.length - names.length }
  }
  const count = query.data?.count ?? 0
  const isWhole = count > list.limit && count <= NETWORK.membersMax
  const canTakeAll = !isHeldByBrowser(list.filters.part) && isWhole && !quota.isSuspended
  return (
    <div className={styles.picker} onKeyPress={keepForm}>
      <PickerTools
        {...{ list, kinds, states, total }}
        chosen={[...roles.keys()].filter((name) => !marks.left.has(name)).length}
        overlapping={marks.overlapping.size}
        onPaste={setPasted}
      />
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
      {canTakeAll && <TakeAll count={count} view={members.view} onTake={addMany} />}
      {pasted !== null && <PasteDialog start={pasted} onAdd={addMany} onClose={() => setPasted(null)} />}
      {isOverQuota && <QuotaDialog limit={quota.members} onClose={() => setOverQuota(false)} />}
    </div>
  )
}

interface TakeAllProps {
  readonly count: number
  readonly view: PickerMembers['view']
  readonly onTake: (found: readonly MemberOption[]) => unknown
}

/** Button that chooses all members of the search, also of the pages that are not shown. */
function TakeAll({ count, view, onTake }: TakeAllProps) {
  const [isBusy, setBusy] = useState(false)
  const take = async () => {
    setBusy(true)
    try {
      onTake(toOptions((await readCandidates(view)).data))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      className={styles.all ?? ''}
      theme="borderless"
      loading={isBusy}
      onClick={() => void take().catch(() => {})}
    >
      选择全部 {countText(count)} 个
    </Button>
  )
}

interface PickerColumns {
  readonly roles: ReadonlyMap<string, MemberRole>
  readonly baseRoles: ReadonlyMap<string, MemberRole>
  readonly overlaps: PlanOverlaps
  readonly isStale: boolean
  /** The network type has centres; otherwise every role is fixed. */
  readonly hasCenters: boolean
  readonly onRole: (name: string, role: MemberRole) => void
}

export function pickerColumns(props: PickerColumns): readonly Column<MemberOption>[] {
  const { isStale } = props
  return [
    {
      key: 'name',
      title: '成员',
      isName: true,
      cell: (option) => (
        <>
          <MemberIdentity
            member={option}
            kind={option.routerType === ROUTER_TYPE.software ? '软件' : ''}
            compactText={[PRESENCE_WORD[option.presence.state], firstOfText(option.lan)].filter(Boolean).join(' · ')}
          />
          <RowNote option={option} {...props} />
        </>
      ),
    },
    {
      key: 'role',
      title: '角色',
      width: 160, // also while nobody is chosen
      phone: 'aside',
      cell: (option) => <RoleCell option={option} {...props} />,
    },
    {
      key: 'lan',
      title: 'LAN 网段',
      from: 'md',
      cell: ({ lan }) => <FirstOf label="网段" isMono items={lan.map((text) => ({ text }))} />,
    },
    {
      key: 'state',
      title: '状态',
      cell: ({ presence, routerType }) => <PresenceCell presence={presence} type={routerType} isStale={isStale} />,
    },
    {
      key: 'networks',
      title: '已在组网',
      from: 'lg',
      cell: ({ networks }) => <FirstOf label="组网" items={networks.map((n) => ({ text: n.network_name }))} />,
    },
  ]
}

type PickerCellProps = PickerColumns & { readonly option: MemberOption }

const ROLES = (['point', 'center'] as const).map((value) => ({ value, label: MEMBER_ROLE_NAME[value] }))

/** Role of a chosen row. A software member dials in and is never a centre. */
function RoleCell({ option, roles, hasCenters, onRole }: PickerCellProps) {
  const role = roles.get(option.router_name)
  if (role === undefined) return null
  if (!hasCenters || option.routerType === ROUTER_TYPE.software)
    return <span className="nl-muted">{MEMBER_ROLE_NAME.point}</span>
  return (
    <Segmented
      label={`${memberLabel(option)}的角色`}
      value={role}
      options={ROLES}
      onChange={(next) => onRole(option.router_name, next)}
    />
  )
}

function RowNote({ option, roles, baseRoles, overlaps }: PickerCellProps) {
  const name = option.router_name
  const isChosen = roles.has(name)
  const was = baseRoles.get(name)
  if (!isChosen && was !== undefined) return <small className={styles.note}>保存后移出组网</small>
  if (!isChosen && isFull(option))
    return <small className={styles.note}>{`已加入 ${NETWORK.perRouter} 个组网，达到上限`}</small>
  const overlap = isChosen ? overlaps.rows.get(name) : overlaps.preview(option)
  if (!overlap) return null
  const free = isMovable(overlap, option) ? overlaps.toFree(overlap.own.segment) : null
  const tone = isChosen ? (overlap.isBrought ? 'nl-tone-bad' : 'nl-tone-warn') : ''
  return <small className={`${styles.note} ${tone}`}>{overlapRowText(overlap, option, free)}</small>
}
