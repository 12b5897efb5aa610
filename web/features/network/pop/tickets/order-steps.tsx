import IconMinus from '@douyinfe/semi-icons/lib/es/icons/IconMinus'
import IconPlus from '@douyinfe/semi-icons/lib/es/icons/IconPlus'
import Button from '@douyinfe/semi-ui/lib/es/button'
import Checkbox from '@douyinfe/semi-ui/lib/es/checkbox/checkbox'
import Slider from '@douyinfe/semi-ui/lib/es/slider'
import { type ReactNode, useId, useState } from 'react'
import { NETWORK_TICKET } from '#contract/network/limits.ts'
import { AREAS_REQUIRED } from '#contract/network/pop.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { toast } from '#lib/toast/toast.ts'
import { FieldNotes } from '#ui/form/field-notes.tsx'
import { Listbox } from '#ui/form/inputs/listbox.tsx'
import { Segmented } from '#ui/form/segmented.tsx'
import { listMembers, type missingIn, moveMembers, type Order, type TicketConfig, toggleArea } from './order.ts'
import styles from './ticket-create-page.module.css'
import { bandwidthText, NOT_CHOSEN, UNASSIGNED_TEXT, yearsText } from './ticket-text.tsx'

/* Steps of the form that orders POP access: the specification, then the members of each area. */

interface OrderStepProps {
  readonly config: TicketConfig
  readonly order: Order
  readonly onChange: (order: Order) => void
}

interface OrderSpecProps extends OrderStepProps {
  readonly problems: Partial<ReturnType<typeof missingIn>>
}

/** Areas, validity and bandwidth. The last chosen area cannot be removed. */
export function OrderSpec({ config, order, problems, onChange }: OrderSpecProps) {
  const id = useId()
  const { pop, expired_time, bandwidth } = config.ticket
  const toggle = (value: number) => {
    const next = toggleArea(order, value)
    if (next === null) toast.error(AREAS_REQUIRED)
    else onChange(next)
  }
  const offered = NETWORK_TICKET.bandwidthOffered.filter((mbps) => mbps >= bandwidth.min && mbps <= bandwidth.max)
  return (
    <div className={styles.fields}>
      <div className={styles.field} role="group" aria-labelledby={`${id}-pop`}>
        <RequiredLabel id={`${id}-pop`}>POP区域</RequiredLabel>
        <div className={styles.options}>
          {pop.map(({ value, name }) => (
            <Checkbox key={value} checked={order.areas.includes(value)} onChange={() => toggle(value)}>
              {name}
            </Checkbox>
          ))}
        </div>
        <FieldNotes id={`${id}-pop`} error={problems.areas} />
      </div>
      <div className={styles.field}>
        <RequiredLabel>有效期</RequiredLabel>
        <div>
          <Segmented
            label="有效期"
            value={String(order.years ?? '')}
            options={expired_time.map(({ value }) => ({ value: String(value), label: yearsText(value) }))}
            onChange={(years) => onChange({ ...order, years: Number(years) })}
          />
        </div>
        <FieldNotes id={`${id}-years`} error={problems.years} />
      </div>
      <div className={styles.field}>
        <RequiredLabel>带宽：{order.bandwidth === null ? NOT_CHOSEN : bandwidthText(order.bandwidth)}</RequiredLabel>
        <div>
          <Segmented
            label="常用带宽"
            value={String(order.bandwidth ?? '')}
            options={offered.map((mbps) => ({ value: String(mbps), label: bandwidthText(mbps) }))}
            onChange={(mbps) => onChange({ ...order, bandwidth: Number(mbps) })}
          />
        </div>
        <div className={styles.slider}>
          <Slider
            aria-label="带宽"
            getAriaValueText={(mbps) => bandwidthText(mbps)}
            min={bandwidth.min}
            max={bandwidth.max}
            step={1}
            value={order.bandwidth ?? bandwidth.min}
            onChange={(mbps) => {
              if (typeof mbps === 'number') onChange({ ...order, bandwidth: mbps })
            }}
          />
        </div>
        <FieldNotes id={`${id}-bandwidth`} error={problems.bandwidth} />
      </div>
    </div>
  )
}

function RequiredLabel({ id, children }: { readonly id?: string; readonly children: ReactNode }) {
  return (
    <span id={id} className="nl-label">
      {children}
      <span className="nl-required" aria-hidden="true">
        *
      </span>
    </span>
  )
}

const HEIGHT_PX = 320

export function OrderMembers({ config, order, onChange }: OrderStepProps) {
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
