import { paths } from '#lib/paths.ts'
import type { RowAction } from '#ui/table/row-actions.tsx'
import { type Right, toActions } from '../rights.ts'

/** Actions on POP access, by the days that the resource has left; null: the network has none. */
export function popActions(right: Right, network_number: string, expireDay: number | null): readonly RowAction[] {
  const order = paths.createNetworkTicket(network_number)
  if (expireDay === null) return toActions(right, { label: '接入POP', to: order })
  return [
    ...toActions(right, { label: 'POP配置', to: paths.editPop(network_number) }),
    ...(expireDay === 0 ? toActions(right, { label: '重新接入POP', to: order }) : []),
  ]
}
