import { type Grants, isAllowed } from '../../../worker/contract/permissions.ts'
import { useGrants } from '../../lib/session.ts'

/** What a role can never do is not shown at all. */
export interface MemberRights {
  readonly add: boolean
  readonly edit: boolean
  readonly delete: boolean
  readonly resend: boolean
  readonly editSign: boolean
}

export function memberRights(grants: Grants): MemberRights {
  return {
    add: isAllowed('router:create', grants),
    edit: isAllowed('router:edit', grants),
    delete: isAllowed('router:delete', grants),
    resend: isAllowed('network:edit', grants),
    editSign: isAllowed('main', grants),
  }
}

export const useMemberRights = (): MemberRights => memberRights(useGrants())
