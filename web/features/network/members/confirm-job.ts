import { type DeviceJobKind, NETWORK_JOB_NAME } from '#contract/network/jobs.ts'
import { confirm } from '#ui/dialog/confirm.tsx'

const BODY: Readonly<Record<DeviceJobKind, string>> = {
  kill_user: '它在该组网的连接会立即断开，随后由它自动重新连接。设备离线时，上线后执行。',
  reset_respawn: '该设备在该组网的隧道会重新启动，期间它的链路会短暂中断。设备离线时，上线后执行。',
}

export const confirmJob = (kind: DeviceJobKind, label: string, run: () => Promise<unknown>): Promise<boolean> =>
  confirm({
    title: `${NETWORK_JOB_NAME[kind]}“${label}”？`,
    body: BODY[kind],
    verb: NETWORK_JOB_NAME[kind],
    danger: true,
    run,
  })
