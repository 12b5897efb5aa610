import type { UserInfo } from '#contract/account/user-info.ts'
import { ERRORS } from '#contract/kernel/errors.ts'
import { coversNetwork, type Grants, isAllowed, type Permission } from '#contract/kernel/permissions.ts'
import { SENTENCE } from '#contract/kernel/result.ts'
import { NETWORK_STATUS } from '#contract/network/limits.ts'
import { checkFeatures, type Features } from '#domain/network/routing/routing.ts'
import { paths } from '#lib/paths.ts'
import type { RowAction } from '#ui/table/row-actions.tsx'
import type { Member } from './live-network.ts'

/* Rights of a user on networks and their members: allowed, hidden, or blocked with a reason. */

/** `hidden`: the role can never do it; `blocked`: not possible for this network, with the reason; null: allowed. */
type Right = { readonly kind: 'hidden' } | { readonly kind: 'blocked'; readonly reason: string } | null

const OUT_OF_SCOPE = '该组网不在当前角色的授权范围内，请联系主账号授权'
const LIMITED_ROLE = '当前角色仅限指定组网，不能创建组网'

/** Rights on one network. Members of a suspended network can be removed, so that it gets below the quota. */
export function networkRights(
  grants: Grants,
  network: { readonly network_number: string; readonly network_status: number },
) {
  const right = (flag: Permission): Right => {
    if (!isAllowed(flag, grants)) return { kind: 'hidden' }
    return coversNetwork(grants, network.network_number) ? null : { kind: 'blocked', reason: OUT_OF_SCOPE }
  }
  const edit = right('network:edit')
  const inUse: Right =
    edit === null && network.network_status !== NETWORK_STATUS.normal
      ? { kind: 'blocked', reason: ERRORS.NETWORK_SUSPENDED.msg }
      : edit
  return {
    view: null, // everybody who sees the page has it
    rename: edit,
    manage: edit,
    add: inUse,
    remove: edit,
    resend: inUse,
    set: inUse,
    /** Changes a member itself, in all its networks. */
    editMember: right('router:edit'),
    /** Turns a setting off: in a suspended network too. */
    turnOff: edit,
    delete: right('network:delete'),
  }
}

export type NetworkRights = ReturnType<typeof networkRights>

/** Rights on one member. A member that is also in networks that the role does not see cannot be changed. */
export const memberRights = (rights: NetworkRights, { shared }: Pick<Member, 'shared'>): NetworkRights =>
  rights.editMember === null && shared === 1
    ? { ...rights, editMember: { kind: 'blocked', reason: ERRORS.ROUTER_SHARED.msg } }
    : rights

export const ticketRight = (grants: Grants, network_number: string): Right =>
  networkRights(grants, { network_number, network_status: NETWORK_STATUS.normal }).rename

/** Reason why this user may not create a network, or null. The button stays, disabled. */
export function createBlocked(grants: Grants): string | null {
  if (isAllowed('network:create', grants)) return null
  return grants.networks !== null && grants.flags.includes('network:create') ? LIMITED_ROLE : SENTENCE.permissionDenied
}

export const isShown = (right: Right): boolean => right?.kind !== 'hidden'
export const blockedBy = (right: Right): string | null => (right?.kind === 'blocked' ? right.reason : null)

/** Action of a row or a menu, in a list: no entry if it is hidden, the reason with it if it is blocked. */
export const toActions = (right: Right, action: RowAction): readonly RowAction[] =>
  isShown(right) ? [{ blocked: blockedBy(right), ...action }] : []

/** Actions on POP access, by the days that the resource has left; null: the network has none. */
export function popActions(right: Right, network_number: string, expireDay: number | null): readonly RowAction[] {
  const order = paths.createNetworkTicket(network_number)
  if (expireDay === null) return toActions(right, { label: '接入POP', to: order })
  return [
    ...toActions(right, { label: 'POP配置', to: paths.editPop(network_number) }),
    ...(expireDay === 0 ? toActions(right, { label: '重新接入POP', to: order }) : []),
  ]
}

/** The account has the features that a setting needs; same rule as the server's. */
export const hasFeatures = (auth: UserInfo['auth'], needed: readonly (keyof Features)[]): boolean =>
  checkFeatures(
    {
      quagga: auth.quagga === 1,
      quaggaAdvanced: auth.quagga_advanced === 1,
      defaultRoute: auth.default_route === 1,
    },
    needed,
  ) === null
