import { useId } from 'react'
import { memberLabel } from '#lib/format/member-label.ts'
import { DataTable } from '#ui/table/data-table.tsx'
import { FilterBar } from '#ui/table/filter-bar.tsx'
import { Select } from '#ui/form/inputs/select.tsx'
import { IdentityCell } from '#ui/table/identity-cell.tsx'
import type { Column } from '#ui/table/table-column.ts'
import { useClientPage } from '#ui/table/pager/use-client-page.ts'
import { useLocalListState } from '#ui/table/use-list-state.ts'
import { type AreaChoice, type AreaPlan, hasBackup, withMain } from './area-plan.ts'
import { MEMBER_ROLE_NAME, MEMBER_SEARCH_LABEL } from '../network-text.ts'
import type { Member } from '../projection.ts'
import { OV_PRIORITY } from '#contract/network/limits.ts'

export interface Area {
  readonly id: number
  readonly name: string
}

interface AreaTableProps {
  readonly members: readonly Member[]
  readonly areas: readonly Area[]
  /** The resource is over: areas are turned off, not chosen. */
  readonly isOver: boolean
  readonly plan: AreaPlan
  readonly onChange: (plan: AreaPlan) => void
}

type Choices = readonly { readonly value: number; readonly label: string }[]

const NONE = { value: 0, label: '不使用POP' }
const NO_BACKUP = { value: 0, label: '无备区域' }
const UNASSIGNED: AreaChoice = { main: 0, backup: 0, priority: OV_PRIORITY.default }
const PRIORITIES = Array.from({ length: OV_PRIORITY.max }, (_, i) => ({ value: i + 1, label: String(i + 1) }))

/** Main area of each member, backup and priority; paged and searched in the browser. */
export function AreaTable({ members, areas, isOver, plan, onChange }: AreaTableProps) {
  const list = useLocalListState({})
  const word = list.search.toLowerCase()
  const shown = members.filter((m) => `${m.note} ${m.router_name}`.toLowerCase().includes(word))
  const paged = useClientPage(shown, list)
  const options = areas.map(({ id, name }) => ({ value: id, label: name }))
  const offered = (current: number | null) => (isOver ? options.filter(({ value }) => value === current) : options)
  const choiceOf = ({ router_name }: Member) => plan.get(router_name) ?? UNASSIGNED
  const choose = ({ router_name }: Member, choice: AreaChoice) => onChange(new Map(plan).set(router_name, choice))
  const cell = (member: Member, label: string, value: number, choices: Choices, to: (id: number) => AreaChoice) => (
    <AreaSelect
      label={`${memberLabel(member)} 的${label}`}
      value={value}
      choices={choices}
      onChange={(id) => choose(member, to(id))}
    />
  )
  const columns: readonly Column<Member>[] = [
    {
      key: 'name',
      title: '成员',
      isName: true,
      cell: (member) => (
        <IdentityCell name={memberLabel(member)} second={member.router_name} compactText={member.router_name} />
      ),
    },
    { key: 'role', title: '角色', from: 'md', cell: (member) => MEMBER_ROLE_NAME[member.member_type] },
    {
      key: 'main',
      title: '主区域',
      cell: (member) => {
        const choice = choiceOf(member)
        return cell(member, '主区域', choice.main, [NONE, ...offered(member.ov_id.main)], (main) =>
          withMain(choice, main),
        )
      },
    },
    {
      key: 'backup',
      title: '备区域',
      cell: (member) => {
        const choice = choiceOf(member)
        if (!hasBackup(areas.length, choice)) return <span className="nl-muted">—</span>
        const others = offered(member.ov_id.backup).filter(({ value }) => value !== choice.main)
        return cell(member, '备区域', choice.backup, [NO_BACKUP, ...others], (backup) => ({ ...choice, backup }))
      },
    },
    {
      key: 'priority',
      title: '优先级',
      cell: (member) => {
        const choice = choiceOf(member)
        if (choice.main === 0) return <span className="nl-muted">—</span>
        return cell(member, '优先级', choice.priority, PRIORITIES, (priority) => ({ ...choice, priority }))
      },
    },
  ]
  return (
    <>
      <FilterBar list={list} searchLabel={MEMBER_SEARCH_LABEL} />
      <DataTable
        label="成员区域"
        {...paged}
        columns={columns}
        rowKey={(member) => member.router_name}
        rowName={memberLabel}
      />
    </>
  )
}

interface AreaSelectProps {
  readonly label: string
  readonly value: number
  readonly choices: Choices
  readonly onChange: (value: number) => void
}

function AreaSelect({ label, value, choices, onChange }: AreaSelectProps) {
  const id = useId()
  return (
    <>
      <span id={id} className="nl-sr">
        {label}
      </span>
      <Select
        aria-labelledby={id}
        value={value}
        optionList={[...choices]}
        motion={false} // with it, onChange fires only after the closing animation
        emptyContent="暂不可购买"
        onChange={(chosen) => onChange(Number(chosen))}
      />
    </>
  )
}
