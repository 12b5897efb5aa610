import type { DirectorySubject } from '#contract/ldap/hub.ts'
import { refuse } from '#contract/kernel/errors.ts'
import type { HubName } from '#contract/kernel/hubs.ts'
import { LDAP_SIGN_IN } from '#contract/ldap/limits.ts'
import { batch } from '#db/batch.ts'
import { undoSignIn } from '#features/login/sql/attempts.ts'
import type { RamName } from '#domain/account/login-name.ts'
import { LOGIN_FAILURE } from '#domain/client/member.ts'
import type { Ctx } from '#http/context.ts'
import { unknownNameHash } from '#security/one-time.ts'
import { type SigningMember, type Device, insertLoginRecords } from './sql/members.ts'

interface Attempt {
  readonly directory: HubName
  readonly member: SigningMember | null
  /** Name as it was typed. */
  readonly name: RamName
  readonly input: Device & { readonly password: string }
  readonly who: Parameters<typeof undoSignIn>[1]
}

/**
 * Asks the directory of the account for a password that is no member's own. Also for names that it does not have: what is
 * answered, and how long it takes, must not tell which members were imported. No password of a directory is ever stored.
 */
export async function isDirectoryPassword(ctx: Ctx, attempt: Attempt): Promise<boolean> {
  const { directory, member, input, who } = attempt
  const found = await ctx.hubs.directory(directory).signIn(await toSubject(ctx, attempt), input.password)
  if (found === 'right' || found === 'wrong') return found === 'right'
  if (found === 'paused') return refuse('LOGIN_PAUSED', { minutes: LDAP_SIGN_IN.minutes })
  await batch(ctx.db, undoSignIn(ctx.db, who, ctx)) // no password was checked, so nothing counts
  await insertLoginRecords(ctx, member ? [member] : [], input, LOGIN_FAILURE.directory)
  return refuse('DIRECTORY_UNAVAILABLE')
}

/** Subject of a sign-in: all spellings of a name are one, as they are of a member. */
async function toSubject({ env }: Ctx, { member, name }: Attempt): Promise<DirectorySubject> {
  const directoryId = member?.directoryId ?? null
  const hash = await unknownNameHash(env.HMAC_SECRET, name.name.toLowerCase())
  return { key: directoryId ?? hash, directoryId }
}
