import IconMinus from '@douyinfe/semi-icons/lib/es/icons/IconMinus'
import IconPlus from '@douyinfe/semi-icons/lib/es/icons/IconPlus'
import Button from '@douyinfe/semi-ui/lib/es/button'
import { type ReactNode, useState } from 'react'
import { memberLabel } from '#lib/format/member-label.ts'
import { Listbox } from '#ui/form/inputs/listbox.tsx'
import { Segmented } from '#ui/form/segmented.tsx'
import { type Order, type TicketConfig, listMembers, moveMembers } from './order.ts'
import { UNASSIGNED_TEXT } from './ticket-text.ts'
import styles from './order-wizard.module.css'

interface OrderMembersProps {
  readonly config: TicketConfig
  readonly order: Order
  readonly onChange: (order: Order) => void
}

const HEIGHT_PX = 320

/** Members move between the pool and the area that is shown; the counts follow. */
export function OrderMembers({ config, order, onChange }: OrderMembersProps) {
  const areas = config.ticket.pop.filter(({ value }) => order.areas.includes(value))
  const [chosen, setChosen] = useState(areas[0]?.value)
  const area = areas.find(({ value }) => value === chosen) ?? areas[0]
  if (area === undefined) return null
  return (
    <>
      <Segmented
        label="POP区域"
        value={String(area.value)}
        options={areas.map(({ value, name }) => ({
          value: String(value),
          label: name,
          count: listMembers(order, config, value).length,
        }))}
        onChange={(value) => setChosen(Number(value))}
      />
      <div className={styles.lists}>
        <MemberList
          key="pool"
          label="可选成员"
          members={listMembers(order, config, null)}
          emptyText="没有可选的成员"
          verb="移入"
          icon={<IconPlus />}
          onMove={(names) => onChange(moveMembers(order, names, area.value))}
        />
        <MemberList
          key={area.value}
          label={`${area.name}的成员`}
          members={listMembers(order, config, area.value)}
          emptyText={UNASSIGNED_TEXT}
          verb="移出"
          icon={<IconMinus />}
          onMove={(names) => onChange(moveMembers(order, names, null))}
        />
      </div>
    </>
  )
}

interface MemberListProps {
  readonly label: string
  readonly members: TicketConfig['member']
  readonly emptyText: string
  readonly verb: string
  readonly icon: ReactNode
  readonly onMove: (names: Iterable<string>) => void
}

function MemberList({ label, members, emptyText, verb, icon, onMove }: MemberListProps) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const move = (names: Iterable<string>) => {
    onMove(names)
    setSelected(new Set())
  }
  return (
    <div className={styles.list}>
      <div className={styles.listHead}>
        <span>
          {label} {members.length}
        </span>
        <Button size="small" icon={icon} disabled={selected.size === 0} onClick={() => move(selected)}>
          {verb} {selected.size} 个
        </Button>
      </div>
      <Listbox
        label={label}
        options={members}
        optionKey={(member) => member.router_name}
        toRow={(member) => ({
          label: memberLabel(member),
          ...(member.note !== '' && { second: member.router_name }),
        })}
        selected={selected}
        onSelect={setSelected}
        act={{ label: verb, icon, run: (name) => move([name]) }}
        emptyText={emptyText}
        heightPx={HEIGHT_PX}
      />
    </div>
  )
}
