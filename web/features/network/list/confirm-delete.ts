import { NETWORK_TICKET_WORD } from '#contract/network/pop.ts'
import { confirm } from '#ui/dialog/confirm.tsx'
import { confirmWithEnding } from '#ui/dialog/confirm-settings-off.ts'
import { findOpenTicket } from '../api.ts'

/* Confirmations before a network is deleted and before a member is removed from it. */

interface DeleteTarget {
  readonly network_number: string
  readonly network_name: string
  readonly member_count: number
  readonly online_count: number
}

/** Sentence on the open order that a deletion cancels; empty without one, or if it cannot be read. */
async function openTicketText(network_number: string): Promise<string> {
  const open = await findOpenTicket(network_number)
  if (open === undefined) return ''
  const { network_ticket_number, network_ticket_status, service_name } = open
  return `${service_name}工单 ${network_ticket_number}（${NETWORK_TICKET_WORD[network_ticket_status]}）会一并取消。`
}

/** A network with members online is in use: its name must be typed. Resolves to whether it was deleted. */
export async function confirmDelete(network: DeleteTarget, run: () => Promise<unknown>): Promise<boolean> {
  const { network_name, network_number, member_count, online_count } = network
  const tickets = await openTicketText(network_number)
  const online = online_count > 0 ? `其中 ${online_count} 个正在线，连接会立即断开。` : ''
  return confirm({
    title: `删除组网“${network_name}”？`,
    body: `是否确定删除? ${network_number} 的 ${member_count} 个成员会退出该组网。${online}${tickets}成员本身不会被删除。`,
    verb: '删除组网',
    danger: true,
    run,
    ...(online_count > 0 && { typed: network_name }),
  })
}

interface RemoveTarget {
  readonly label: string
  readonly isCenter: boolean
  readonly centersLeft: number
  readonly linkCount: number
}

export function confirmRemove(
  { label, isCenter, centersLeft, linkCount }: RemoveTarget,
  send: Parameters<typeof confirmWithEnding>[1],
): Promise<boolean> {
  const links = linkCount > 0 ? `它的 ${linkCount} 条链路会断开。` : ''
  const redundancy = isCenter && centersLeft === 1 ? '组网将只剩 1 个中心点，失去冗余。' : ''
  const question = {
    title: `移除${isCenter ? '中心点' : '成员'}“${label}”？`,
    body: `是否确定移除? ${links}${redundancy}成员本身不会被删除，可随时重新添加。`,
    verb: '移除成员',
    danger: true,
  }
  return confirmWithEnding(question, send)
}
