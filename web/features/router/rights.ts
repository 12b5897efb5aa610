import { type Grants, isAllowed } from '#contract/kernel/permissions.ts'
import { ROUTER_ERRORS } from '#contract/router/errors.ts'
import { useGrants } from '#lib/session/session.ts'

/* Rights of a user on members, and reasons why one member cannot be changed. */

/** Reason why the role may not change a member that it sees; null if it may. */
export const sharedBlocked = ({ shared }: { readonly shared: 0 | 1 }): string | null =>
  shared === 1 ? ROUTER_ERRORS.ROUTER_SHARED.msg : null

/** Reason why a member cannot be edited or deleted here; null unless a directory manages it. */
export const managedBlocked = ({ source }: { readonly source: string }): string | null =>
  source === 'ldap' ? '由目录管理，请在目录中修改' : null

/** Actions that the role can never perform are not shown. */
export function memberRights(grants: Grants) {
  return {
    add: isAllowed('router:create', grants),
    /** The role is limited to networks, and adds a new member directly to one of them. */
    addsIntoNetwork: grants.networks !== null,
    edit: isAllowed('router:edit', grants),
    delete: isAllowed('router:delete', grants),
    /** Adds existing members to networks. */
    editNetworks: isAllowed('network:edit', grants),
    editSign: isAllowed('main', grants),
    /** Sign-in records and the directory belong to the main account. */
    seeLogins: isAllowed('main', grants),
    seeDirectory: isAllowed('main', grants),
  }
}

export type MemberRights = ReturnType<typeof memberRights>

export const useMemberRights = () => memberRights(useGrants())
