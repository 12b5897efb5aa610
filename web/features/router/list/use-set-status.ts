import { confirmWithEnding } from '#ui/dialog/confirm-settings-off.ts'
import type { RowAction } from '#ui/table/row-actions.tsx'
import { toast } from '#lib/toast/toast.ts'
import { toErrorView } from '#ui/state/error-view.ts'
import { useUpdateStatus } from '../api.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { sharedBlocked } from '../rights.ts'
import type { RouterRow } from '../router-text.ts'

/* Action that disables a member after a confirmation, or enables it at once. */

type StatusTarget = Pick<RouterRow, 'router_name' | 'router_type' | 'status' | 'shared'>

/** A device that is switched on asks again within this time (infra/docs/agent.md). */
const BACK = '，开机联网的设备会在30秒内重新连接'

export function useSetStatus(): (member: StatusTarget) => Promise<void> {
  const { trigger } = useUpdateStatus()
  return async ({ router_name, router_type, status }) => {
    if (status === 0) {
      await trigger({ router_name, status: 1 }).then(
        () => toast.done(`已启用成员“${router_name}”${router_type === ROUTER_TYPE.hardware ? BACK : ''}`),
        (error: unknown) => toast.error(toErrorView(error).message),
      )
      return
    }
    const question = {
      title: `停用成员“${router_name}”？`,
      body: `是否确定停用? 它的连接会立即断开，启用之前不能再连接。所属组网和配置会保留。`,
      verb: '停用成员',
      danger: true,
    }
    const isDone = await confirmWithEnding(question, (sent) => trigger({ router_name, status: 0, ...sent }))
    if (isDone) toast.done(`已停用成员“${router_name}”`)
  }
}

export const statusAction = <T extends StatusTarget>(member: T, set: (member: T) => Promise<void>): RowAction => ({
  label: member.status === 1 ? '停用' : '启用',
  blocked: sharedBlocked(member),
  onSelect: () => void set(member),
})
