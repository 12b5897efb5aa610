import { refuse } from '../../contract/errors.ts'
import { LDAP_SIGN_IN } from '../../contract/ldap-limits.ts'
import { batch } from '../../db/batch.ts'
import { undoSignIn } from '../../db/sign-in-attempts.ts'
import { LOGIN_FAILURE } from '../../domain/client/member.ts'
import type { Ctx } from '../../http/context.ts'
import type { SigningMember } from './queries.ts'
import { type Device, insertLoginRecords } from './queries-records.ts'

/** An imported member: its directory is asked, and no password of it is ever stored. Without the directory nobody signs in. */
export async function isDirectoryPassword(
  ctx: Ctx,
  member: SigningMember & { readonly directoryId: string },
  input: Device & { readonly password: string },
  who: Parameters<typeof undoSignIn>[1],
): Promise<boolean> {
  const { directoryHub, directoryId } = member
  const found =
    directoryHub === null ? 'away' : await ctx.hubs.directory(directoryHub).signIn(directoryId, input.password)
  if (found === 'right' || found === 'wrong') return found === 'right'
  if (found === 'paused') return refuse('LOGIN_PAUSED', { minutes: LDAP_SIGN_IN.minutes })
  await batch(ctx.db, undoSignIn(ctx.db, who, ctx)) // no password was checked, so nothing counts
  await insertLoginRecords(ctx, [member], input, LOGIN_FAILURE.directory)
  return refuse('DIRECTORY_UNAVAILABLE')
}
