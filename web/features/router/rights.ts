import { type Grants, isAllowed } from '../../../worker/contract/permissions.ts'
import { useGrants } from '../../lib/session.ts'

/** Actions a role can never perform are not shown. */
export interface MemberRights {
  readonly add: boolean
  /** Why this role may not add members although it holds the flag, or null. */
  readonly addBlocked: string | null
  readonly edit: boolean
  readonly delete: boolean
  readonly editSign: boolean
}

const LIMITED_ROLE = '当前角色仅限指定组网，不能添加成员'

const isLimitedMaker = (grants: Grants): boolean => grants.networks !== null && grants.flags.includes('router:create')

export function memberRights(grants: Grants): MemberRights {
  return {
    add: isAllowed('router:create', grants) || isLimitedMaker(grants),
    addBlocked: isLimitedMaker(grants) ? LIMITED_ROLE : null,
    edit: isAllowed('router:edit', grants),
    delete: isAllowed('router:delete', grants),
    editSign: isAllowed('main', grants),
  }
}

export const useMemberRights = (): MemberRights => memberRights(useGrants())
