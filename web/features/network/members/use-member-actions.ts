import { ERRORS } from '#contract/kernel/errors.ts'
import { type DeviceJobKind, NETWORK_JOB_NAME } from '#contract/network/jobs.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { confirm } from '#ui/dialog/confirm.tsx'
import type { RowAction } from '#ui/table/row-actions.tsx'
import { useKillUser, useRemoveMember, useResendToMember, useResetRespawn } from '../api.ts'
import type { PrepareRollout, StartedJob } from '../detail/progress-notices.tsx'
import { confirmRemove } from '../list/confirm-delete.ts'
import type { Member, NetworkInfo, Projection } from '../live-network.ts'
import { blockedBy, memberRights, type NetworkRights, toActions } from '../rights.ts'
import { useOpenDialog } from '../settings/dialog-context.ts'
import { MEMBER_VERBS } from '../settings/dialog-table.ts'

/* Actions on one member of a network: resend, edit, disconnect, restart of tunnels, and removal. */

interface MemberActionsInput {
  readonly info: NetworkInfo
  readonly projection: Projection
  readonly rights: NetworkRights
  readonly prepare: PrepareRollout
  /** Called once a job on a device has started; the page shows its result. */
  readonly onJob: (job: StartedJob) => void
}

const BODY: Readonly<Record<DeviceJobKind, string>> = {
  kill_user: '它在该组网的连接会立即断开，随后由它自动重新连接。设备离线时，上线后执行。',
  reset_respawn: '该设备在该组网的隧道会重新启动，期间它的链路会短暂中断。设备离线时，上线后执行。',
}

export function useMemberActions({ info, projection, rights, prepare, onJob }: MemberActionsInput) {
  const { network_number } = info
  const remove = useRemoveMember()
  const resend = useResendToMember()
  const open = useOpenDialog()
  const [kill, respawn] = [useKillUser(), useResetRespawn()]
  const centers = projection.members.filter(({ member_type }) => member_type === 'center').length

  /** `settings`: actions that a row lists between those that change the member and those that interrupt it. */
  return (member: Member, settings: readonly RowAction[] = []): readonly RowAction[] => {
    const { router_name, member_type } = member
    const isHardware = member.router_type === ROUTER_TYPE.hardware
    const isLastCenter = member_type === 'center' && centers === 1
    const linkCount = projection.links.filter((link) =>
      [link.router_name, link.center_router_name].includes(router_name),
    ).length
    const label = memberLabel(member)
    const removeMember = async () => {
      const isCenter = member_type === 'center'
      const leaving = { label, isCenter, centersLeft: centers - 1, linkCount }
      const onSaved = prepare('saved')
      if (await confirmRemove(leaving, (sent) => remove.trigger({ network_number, router_name, ...sent }))) onSaved()
    }
    const target = { network_number, router_name }
    const start = async (reply: Promise<{ readonly data: { readonly job_id: string } | null }>) => {
      const { data } = await reply
      if (data) onJob({ id: data.job_id, label })
    }
    const toJobAction = (kind: DeviceJobKind, run: () => Promise<void>) => {
      const verb = NETWORK_JOB_NAME[kind]
      const question = { title: `${verb}“${label}”？`, body: BODY[kind], verb, danger: true, run }
      return toActions(rights.resend, { label: verb, onSelect: () => void confirm(question) })
    }
    const resendConfig = () => void start(resend.trigger(target)).catch(() => {}) // the toast says why not
    const isClient = ({ router_name: client }: { readonly router_name: string }) => client === router_name
    const dials = (member_type === 'point' && centers > 0) || projection.links.some(isClient)
    return [
      ...(isHardware ? toActions(rights.resend, { label: '重新下发', onSelect: resendConfig }) : []),
      ...MEMBER_VERBS.filter(({ shows }) => shows(member)).flatMap(({ key, title, right }) =>
        toActions(memberRights(rights, member)[right], { label: title, onSelect: () => open(key, router_name) }),
      ),
      ...settings,
      ...(dials ? toJobAction('kill_user', () => start(kill.trigger(target))) : []),
      ...(isHardware ? toJobAction('reset_respawn', () => start(respawn.trigger(target))) : []),
      ...toActions(rights.remove, {
        label: '移除',
        danger: true,
        blocked: blockedBy(rights.remove) ?? (isLastCenter ? ERRORS.LAST_CENTER.msg : null),
        onSelect: () => void removeMember(),
      }),
    ]
  }
}
