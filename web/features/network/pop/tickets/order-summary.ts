import { memberLabel } from '#lib/format/member-label.ts'
import type { Fact } from '#ui/layout/facts.tsx'
import { type Order, type TicketConfig, listMembers } from './order.ts'
import { UNASSIGNED_TEXT, bandwidthText, yearsText } from './ticket-text.ts'

const chosenAreas = ({ ticket }: TicketConfig, { areas }: Order) =>
  ticket.pop.filter(({ value }) => areas.includes(value))

/** Facts of an order so far: beside the steps of its wizard, and with `orderMembers` in the last one. */
export const orderFacts = (config: TicketConfig, order: Order): readonly Fact[] => [
  {
    label: 'POP区域',
    value: chosenAreas(config, order)
      .map(({ name }) => name)
      .join('、'),
  },
  { label: '有效期', value: yearsText(order.years) },
  { label: '带宽', value: bandwidthText(order.bandwidth) },
  { label: '已分配成员', value: `${order.areaOf.size} / ${config.member.length}` },
]

/** The members of each area. */
export const orderMembers = (config: TicketConfig, order: Order): readonly Fact[] =>
  chosenAreas(config, order).map(({ value, name }) => ({
    label: `${name}的成员`,
    value: listMembers(order, config, value).map(memberLabel).join('、') || UNASSIGNED_TEXT,
  }))
