import { refuse } from '#contract/kernel/errors.ts'
import { findMember } from '#domain/network/members/member-name.ts'

interface Named {
  readonly routerName: string
  readonly memberType: 'center' | 'point'
}

/** The member of that name among those of one network, or MEMBER_NOT_IN_NETWORK. */
export const requireMember = <T extends Named>(members: readonly T[], name: string): T =>
  findMember(members, name) ?? refuse('MEMBER_NOT_IN_NETWORK')

/** The same where it has to be a centre; `field` names it on the wire. */
export function requireCenter<T extends Named>(members: readonly T[], name: string, field = 'router_name'): T {
  const found = requireMember(members, name)
  return found.memberType === 'center' ? found : refuse('CENTER_ONLY', {}, field)
}
