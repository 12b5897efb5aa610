import IconClose from '@douyinfe/semi-icons/lib/es/icons/IconClose'
import IconPlus from '@douyinfe/semi-icons/lib/es/icons/IconPlus'
import Button from '@douyinfe/semi-ui/lib/es/button'
import { useState } from 'react'
import { toMessage } from '../../../../worker/contract/errors.ts'
import { ROUTER_TYPE, type RouterType } from '../../../../worker/contract/limits.ts'
import { toast } from '../../../lib/toast.ts'
import { SearchBox } from '../../../ui/filter-bar.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { QuotaDialog } from '../dialogs/quota-dialog.tsx'
import { type MemberRole, MEMBER_ROLE_NAME, routerTypeName } from '../network-text.ts'
import {
  checkAssign,
  type MemberOption,
  isMatch,
  type PickerQuota,
  assign,
  type Plan,
  membersAfter,
  unassign,
} from '../picker.ts'
import { MemberListbox } from './member-listbox.tsx'
import styles from './member-picker.module.css'
import { PickerSide } from './picker-side.tsx'

const NONE: ReadonlySet<string> = new Set()
const ROLES: readonly MemberRole[] = ['center', 'point']

interface MemberPickerProps {
  readonly base: Plan
  readonly plan: Plan
  readonly onChange: (plan: Plan) => void
  /** By router_name, in display order. */
  readonly known: ReadonlyMap<string, MemberOption>
  readonly quota: PickerQuota
}

/** Available members at the left, chosen centres and points at the right; every assignment is checked first. */
export function MemberPicker({ base, plan, onChange, known, quota }: MemberPickerProps) {
  const [isOverQuota, setOverQuota] = useState(false)

  const assignMembers = (names: readonly string[], role: MemberRole): boolean => {
    const refused = checkAssign({ base, plan, known, quota }, names, role)
    if (refused === null) {
      onChange(assign(plan, names, role))
      return true
    }
    if (refused.key === 'MEMBER_LIMIT_REACHED') setOverQuota(true)
    else toast.error(toMessage(refused))
    return false
  }
  const used = membersAfter(base, plan, quota)
  return (
    <>
      <p className={styles.facts}>
        <span>同一组网内，各成员的 IP 网段不能相同</span>
        <span role="status">
          席位{' '}
          <strong className={used > quota.members ? 'nl-tone-bad' : undefined}>
            {used} / {quota.members}
          </strong>
          ，中心点{' '}
          <strong className={plan.center.length > quota.centers ? 'nl-tone-bad' : undefined}>
            {plan.center.length} / {quota.centers}
          </strong>
        </span>
      </p>
      <div className={styles.sides}>
        <Available known={known} plan={plan} onAssign={assignMembers} />
        <Chosen
          known={known}
          plan={plan}
          onAssign={assignMembers}
          onDrop={(names) => onChange(unassign(plan, names))}
        />
      </div>
      {isOverQuota && <QuotaDialog limit={quota.members} onClose={() => setOverQuota(false)} />}
    </>
  )
}

interface SideProps {
  readonly known: ReadonlyMap<string, MemberOption>
  readonly plan: Plan
  readonly onAssign: (names: readonly string[], role: MemberRole) => boolean
}

function Available({ known, plan, onAssign }: SideProps) {
  const [kind, setKind] = useState<'hardware' | 'software'>('hardware')
  const [role, setRole] = useState<MemberRole>(plan.center.length === 0 ? 'center' : 'point')
  const [search, setSearch] = useState('')
  const [selected, setSelected] = useState(NONE)
  const chosen = new Set([...plan.center, ...plan.point])
  const free = [...known.values()].filter(({ router_name }) => !chosen.has(router_name))
  const ofKind = (type: RouterType) => free.filter(({ routerType }) => routerType === type)
  const shown = ofKind(ROUTER_TYPE[kind]).filter((option) => isMatch(option, search))
  const picked = shown.filter(({ router_name }) => selected.has(router_name)).map(({ router_name }) => router_name)

  const assignMembers = (names: readonly string[]) => {
    if (onAssign(names, role)) setSelected(new Set([...selected].filter((name) => !names.includes(name))))
  }
  return (
    <PickerSide label="可选成员">
      <h3>
        可选成员 <small>{free.length} 个</small>
      </h3>
      <Tabs
        label="成员类型"
        value={kind}
        options={(['hardware', 'software'] as const).map((value) => ({
          value,
          label: `${routerTypeName(ROUTER_TYPE[value])}（${ofKind(ROUTER_TYPE[value]).length}）`,
        }))}
        onChange={setKind}
      >
        <SearchBox label="搜索备注、序列号或账号" value={search} onChange={setSearch} />
        <RoleRadios role={role} onChange={setRole} />
        <MemberListbox
          label="可选成员"
          options={shown}
          selected={selected}
          onSelect={setSelected}
          act={{ label: `添加为${MEMBER_ROLE_NAME[role]}`, icon: <IconPlus />, run: (name) => assignMembers([name]) }}
          emptyText={search === '' ? '没有可添加的成员' : '暂无数据'}
          heightPx={420}
        />
        <div className={styles.row}>
          <Button
            theme="borderless"
            disabled={shown.length === 0}
            onClick={() =>
              setSelected(picked.length === shown.length ? NONE : new Set(shown.map((c) => c.router_name)))
            }
          >
            {picked.length > 0 && picked.length === shown.length ? '取消全选' : `全选 ${shown.length} 个`}
          </Button>
          <Button type="primary" disabled={picked.length === 0} onClick={() => assignMembers(picked)}>
            {picked.length > 0
              ? `添加 ${picked.length} 个为${MEMBER_ROLE_NAME[role]}`
              : `添加为${MEMBER_ROLE_NAME[role]}`}
          </Button>
        </div>
      </Tabs>
    </PickerSide>
  )
}

function RoleRadios({ role, onChange }: { readonly role: MemberRole; readonly onChange: (role: MemberRole) => void }) {
  return (
    <div className={styles.row} role="radiogroup" aria-label="添加为">
      <span className="nl-muted">添加为</span>
      {ROLES.map((value) => (
        <label key={value} className={styles.radio}>
          <input type="radio" name="member-role" checked={role === value} onChange={() => onChange(value)} />
          {MEMBER_ROLE_NAME[value]}
        </label>
      ))}
    </div>
  )
}

function Chosen({
  known,
  plan,
  onAssign,
  onDrop,
}: SideProps & { readonly onDrop: (names: readonly string[]) => void }) {
  const [search, setSearch] = useState('')
  return (
    <PickerSide label="已选成员">
      <h3>
        已选成员 <small>{plan.center.length + plan.point.length} 个</small>
      </h3>
      <SearchBox label="在已选成员中搜索" value={search} onChange={setSearch} />
      {ROLES.map((role) => (
        <ChosenRole key={role} {...{ role, known, plan, search, onAssign, onDrop }} />
      ))}
    </PickerSide>
  )
}

interface ChosenRoleProps extends SideProps {
  readonly role: MemberRole
  readonly search: string
  readonly onDrop: (names: readonly string[]) => void
}

function ChosenRole({ role, known, plan, search, onAssign, onDrop }: ChosenRoleProps) {
  const [selected, setSelected] = useState(NONE)
  const other: MemberRole = role === 'center' ? 'point' : 'center'
  const shown = plan[role].flatMap((name) => known.get(name) ?? []).filter((option) => isMatch(option, search))
  const picked = shown.filter(({ router_name }) => selected.has(router_name)).map(({ router_name }) => router_name)
  return (
    <>
      <h3>
        {MEMBER_ROLE_NAME[role]} <small>{plan[role].length} 个</small>
      </h3>
      <MemberListbox
        label={MEMBER_ROLE_NAME[role]}
        options={shown}
        selected={selected}
        onSelect={setSelected}
        act={{ label: '移除', icon: <IconClose />, run: (name) => onDrop([name]) }}
        emptyText={search === '' ? `还没有${MEMBER_ROLE_NAME[role]}` : '暂无数据'}
        heightPx={role === 'center' ? 148 : 292}
      />
      <div className={styles.row}>
        <Button
          theme="borderless"
          type="danger"
          disabled={picked.length === 0}
          onClick={() => {
            onDrop(picked)
            setSelected(NONE)
          }}
        >
          移除{picked.length > 0 && ` ${picked.length} 个`}
        </Button>
        <Button
          disabled={picked.length === 0}
          onClick={() => {
            if (onAssign(picked, other)) setSelected(NONE)
          }}
        >
          设为{MEMBER_ROLE_NAME[other]}
        </Button>
      </div>
    </>
  )
}
