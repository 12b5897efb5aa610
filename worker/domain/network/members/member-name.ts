import type { MemberNode } from './links.ts'

/* Display name of a member, and the search for members by name without regard to case. */

export const labelOf = (member: { readonly note: string; readonly routerName: string }): string =>
  member.note || member.routerName

/** The database compares names like this, too. */
const toKey = (name: string): string => name.toLowerCase()

export const findMember = <T extends Pick<MemberNode, 'routerName'>>(
  members: readonly T[],
  name: string,
): T | undefined => members.find(({ routerName }) => toKey(routerName) === toKey(name))

export function indexMembers<T extends Pick<MemberNode, 'routerName'>>(
  members: readonly T[],
): (name: string) => T | undefined {
  const byName = new Map(members.map((member) => [toKey(member.routerName), member]))
  return (name) => byName.get(toKey(name))
}
