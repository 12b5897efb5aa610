import type { ComponentProps } from 'react'
import { NETWORK } from '../../../../worker/contract/limits.ts'
import { memberLabel } from '../../../lib/member-label.ts'
import { PickList, type PickRow } from '../../../ui/pick-list.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import type { MemberOption } from '../picker.ts'

type MemberListboxProps = Omit<ComponentProps<typeof PickList<MemberOption>>, 'optionKey' | 'toRow'>

/** Members to choose from. */
export function MemberListbox(props: MemberListboxProps) {
  return <PickList {...props} optionKey={({ router_name }) => router_name} toRow={toRow} />
}

function toRow(option: MemberOption): PickRow {
  const { router_name, note, state, networkCount } = option
  const isFull = networkCount >= NETWORK.perRouter
  const facts = [
    note !== '' && router_name,
    networkCount > 0 && `${isFull ? '已满：' : ''}已加入 ${networkCount} 个组网`,
  ]
  return {
    label: memberLabel(option),
    second: facts.filter(Boolean).join(' · '),
    aside: <StatusBadge state={state} />,
  }
}
