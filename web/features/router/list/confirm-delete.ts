import { confirmWithEnding } from '#ui/dialog/confirm-settings-off.ts'

/* Confirmations before one or several members are deleted. */

type Send = Parameters<typeof confirmWithEnding>[1]

interface DeleteTarget {
  readonly router_name: string
  readonly note: string
  readonly isHardware: boolean
  readonly isOnline: boolean
  readonly networkCount: number
  /** Absent if only their number is known. */
  readonly networkNames?: readonly string[]
}

/** The exact name must be typed (network 5). Resolves to whether the member was deleted. */
export function confirmDelete(member: DeleteTarget, send: Send): Promise<boolean> {
  const { router_name, note, isHardware, isOnline, networkCount, networkNames = [] } = member
  const online = isOnline ? '该成员正在线，连接会立即断开。' : ''
  const leaves = networkCount > 0 ? `它会退出 ${networkCount} 个组网。` : '它未加入任何组网。'
  const after = isHardware ? '设备可凭机身激活码重新添加。' : '账号将不能再登录客户端。'
  const question = {
    title: `删除${isHardware ? '硬件' : '软件'}成员“${note === '' ? router_name : `${note}（${router_name}）`}”？`,
    body: `是否确定删除? ${online}${leaves}${after}`,
    items: networkNames,
    verb: '删除成员',
    danger: true,
    typed: router_name,
  }
  return confirmWithEnding(question, send)
}

/** Word to type before several members are deleted (network 5). */
export const TYPED = '确认操作'

export function confirmBatchDelete(
  { isHardware, names }: { readonly isHardware: boolean; readonly names: readonly string[] },
  send: Send,
) {
  const kept = isHardware ? '组网唯一的中心点不会被删除。' : ''
  const question = {
    title: `删除 ${names.length} 个${isHardware ? '硬件' : '软件'}成员？`,
    body: `是否确定删除? 在线的成员连接会立即断开，它们会退出所有组网。${kept}`,
    items: names,
    verb: `删除 ${names.length} 个成员`,
    danger: true,
    typed: TYPED,
  }
  return confirmWithEnding(question, send)
}
