import { PRESENCE_WORD } from '#contract/kernel/states.ts'
import { NETWORK } from '#contract/network/limits.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { Segmented } from '#ui/form/segmented.tsx'
import { PresenceCell } from '#ui/member/member-badges.tsx'
import { MemberIdentity } from '#ui/member/member-identity.tsx'
import { FirstOf, firstOfText } from '#ui/table/first-of.tsx'
import type { Column } from '#ui/table/table-column.ts'
import { MEMBER_ROLE_NAME, type MemberRole } from '#pages/network/network-text.ts'
import { isMovable, overlapRowText, type PlanOverlaps } from '../plan-overlaps.ts'
import styles from './member-picker.module.css'
import { isFull, type MemberOption } from './picker.ts'

interface PickerColumns {
  /** Roles of the plan, and of the network as it is. */
  readonly roles: ReadonlyMap<string, MemberRole>
  readonly baseRoles: ReadonlyMap<string, MemberRole>
  readonly overlaps: PlanOverlaps
  readonly isStale: boolean
  /** The network type has centres; otherwise every role is fixed. */
  readonly hasCenters: boolean
  readonly onRole: (name: string, role: MemberRole) => void
}

/** Columns of a candidate: role, LAN, state, networks; the reason against it is under its name. */
export function pickerColumns(props: PickerColumns): readonly Column<MemberOption>[] {
  const { roles, isStale, hasCenters, onRole } = props
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
      width: 160, // kept while nobody is chosen
      phone: 'aside',
      cell: (option) => (
        <RoleCell option={option} role={roles.get(option.router_name)} isFixed={!hasCenters} onRole={onRole} />
      ),
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

interface RoleCellProps {
  readonly option: MemberOption
  readonly role: MemberRole | undefined
  readonly isFixed: boolean
  readonly onRole: PickerColumns['onRole']
}

const ROLES = (['point', 'center'] as const).map((value) => ({ value, label: MEMBER_ROLE_NAME[value] }))

/** Role of a chosen row; software dials in and is never a centre. */
function RoleCell({ option, role, isFixed, onRole }: RoleCellProps) {
  if (role === undefined) return null
  if (isFixed || option.routerType === ROUTER_TYPE.software)
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

function RowNote({ option, roles, baseRoles, overlaps }: PickerColumns & { readonly option: MemberOption }) {
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
