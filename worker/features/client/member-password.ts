import type { HashClient, Passwords } from '#contract/kernel/passwords.ts'
import { memberPasswordPlace, openSealed } from '#security/sealed.ts'
import { timingSafeEqual } from '#security/secrets.ts'

/** A software member as its sign-in reads it. */
export interface MemberCredential {
  readonly accountId: number
  readonly hub: string
  readonly password: string | null
  /** Of a member file, until it is hashed. */
  readonly passwordSealed: string | null
}

interface Check {
  readonly passwords: Passwords
  readonly client: HashClient
  readonly sealKeys: string
}

/** Takes as long for an unknown member (null) and for a password that is still sealed as for a hashed one. */
export async function isMemberPassword(
  { passwords, client, sealKeys }: Check,
  member: MemberCredential | null,
  typed: string,
): Promise<boolean> {
  const { passwordSealed = null } = member ?? {}
  const stored = (passwordSealed === null && member?.password) || null
  const { isRight } = await passwords.run(client, { check: { password: typed, stored } })
  if (member === null || passwordSealed === null) return isRight
  const plain = await openSealed(sealKeys, memberPasswordPlace(member.accountId, member.hub), passwordSealed)
  return timingSafeEqual(plain, typed)
}
