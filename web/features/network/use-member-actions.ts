import { ERRORS } from '../../../worker/contract/errors.ts'
import { ROUTER_TYPE } from '../../../worker/contract/limits.ts'
import { memberLabel } from '../../lib/member-label.ts'
import type { RowAction } from '../../ui/row-actions.tsx'
import { useRemoveMember, useResendToMember } from './api.ts'
import { useOpenDialog } from './dialogs/dialog-context.ts'
import { MEMBER_VERBS } from './dialogs/dialog-table.ts'
import { confirmRemove } from './dialogs/confirm-delete.ts'
import type { Member, NetworkInfo, Projection } from './projection.ts'
import type { PrepareRollout } from './use-rollout.ts'
import { blockedBy, type NetworkRights, toActions } from './rights.ts'

interface MemberActionsInput {
  readonly info: NetworkInfo
  readonly projection: Projection
  readonly rights: NetworkRights
  readonly prepare: PrepareRollout
}

/** Actions of one member, the same in table and panel. */
export function useMemberActions({ info, projection, rights, prepare }: MemberActionsInput) {
  const { network_number } = info
  const remove = useRemoveMember()
  const resend = useResendToMember()
  const open = useOpenDialog()
  const centers = projection.members.filter(({ member_type }) => member_type === 'center').length

  return (member: Member): readonly RowAction[] => {
    const { router_name, member_type } = member
    const isHardware = member.router_type === ROUTER_TYPE.hardware
    const isLastCenter = member_type === 'center' && centers === 1
    const linkCount = projection.links.filter((link) =>
      [link.router_name, link.center_router_name].includes(router_name),
    ).length
    const removeMember = async () => {
      const isCenter = member_type === 'center'
      const target = { label: memberLabel(member), isCenter, centersLeft: centers - 1, linkCount }
      const onSaved = prepare('saved')
      if (await confirmRemove(target, (sent) => remove.trigger({ network_number, router_name, ...sent }))) onSaved()
    }
    const resendConfig = () => {
      const onSent = prepare('resent', router_name)
      void resend.trigger({ network_number, router_name }).then(onSent, () => {}) // the toast says why not
    }
    return [
      ...(isHardware ? toActions(rights.resend, { label: '重新下发', onSelect: resendConfig }) : []),
      ...MEMBER_VERBS.filter(({ shows }) => shows(member)).flatMap(({ key, title, right }) =>
        toActions(rights[right], { label: title, onSelect: () => open(key, router_name) }),
      ),
      ...toActions(rights.remove, {
        label: '移除',
        danger: true,
        blocked: blockedBy(rights.remove) ?? (isLastCenter ? ERRORS.LAST_CENTER.msg : null),
        onSelect: () => void removeMember(),
      }),
    ]
  }
}
