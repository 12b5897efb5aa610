import { ERRORS } from '../../../worker/contract/errors.ts'
import { NETWORK_STATUS } from '../../../worker/contract/limits.ts'
import { coversNetwork, type Permission, type Grants, isAllowed } from '../../../worker/contract/permissions.ts'

/** `hidden` is what a role can never do; `blocked` what cannot be done here, with the reason; null is free to do. */
export type Right = { readonly kind: 'hidden' } | { readonly kind: 'blocked'; readonly reason: string } | null

export interface NetworkRights {
  readonly rename: Right
  readonly manage: Right
  readonly add: Right
  readonly remove: Right
  readonly resend: Right
  readonly delete: Right
}

const OUT_OF_SCOPE = '该组网不在当前角色的授权范围内，请联系主账号授权'
const LIMITED_ROLE = '当前角色仅限指定组网，不能创建组网'

/** What may be done with one network. Members can be removed from a suspended one: that is the way out of it. */
export function networkRights(
  grants: Grants,
  network: { readonly network_number: string; readonly network_status: number },
): NetworkRights {
  const right = (flag: Permission): Right => {
    if (!isAllowed(flag, grants)) return { kind: 'hidden' }
    return coversNetwork(grants, network.network_number) ? null : { kind: 'blocked', reason: OUT_OF_SCOPE }
  }
  const edit = right('network:edit')
  const inUse: Right =
    edit === null && network.network_status !== NETWORK_STATUS.normal
      ? { kind: 'blocked', reason: ERRORS.NETWORK_SUSPENDED.msg }
      : edit
  return { rename: edit, manage: edit, add: inUse, remove: edit, resend: inUse, delete: right('network:delete') }
}

/** Why this user may not create a network, or null. The button stays: the list is about little else. */
export function createBlocked(grants: Grants): string | null {
  if (isAllowed('network:create', grants)) return null
  return grants.networks !== null && grants.flags.includes('network:create')
    ? LIMITED_ROLE
    : ERRORS.PERMISSION_DENIED.msg
}

export const isShown = (right: Right): boolean => right?.kind !== 'hidden'
export const blockedBy = (right: Right): string | null => (right?.kind === 'blocked' ? right.reason : null)
