import type { clientApi } from '#contract/client/index.ts'
import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { Refusal, refuse, throwIf } from '#contract/kernel/errors.ts'
import { batch } from '#db/batch.ts'
import { forgiveSignIn, recordSignIn, signInKey, undoSignIn } from '#features/login/sql/attempts.ts'
import { readRamName } from '#domain/account/login-name.ts'
import { LOGIN_FAILURE, checkMember, failureOf } from '#domain/client/member.ts'
import { checkAttempts } from '#domain/login/guard.ts'
import type { Ctx } from '#http/context.ts'
import { visitorClient } from '#http/hash-client.ts'
import { isMemberPassword } from './member-password.ts'
import { unknownNameHash } from '#security/one-time.ts'
import { isDirectoryPassword } from './directory-password.ts'
import { guardPassword, memberKey, selectDirectoryOf, selectMemberByName, insertLoginRecords } from './sql/members.ts'
import { openSession } from './session.ts'
import { LOGIN_GUARD } from '#contract/login/limits.ts'
import { batchWithChallenge } from '#features/verify/service.ts'

/**
 * Counters, then the password, then what only its owner may learn. A name that nobody has runs the same statements in the
 * same time, and where the account has a directory, every name asks it. Repeated failures at a member from everywhere ask for work and pause nobody but their own address.
 */
export async function signIn(ctx: Ctx, input: Parsed<typeof clientApi.login>): Promise<Output<typeof clientApi.login>> {
  const { db, now, env } = ctx
  const { username, password } = input
  const name = readRamName(username) ?? { name: '', domain: '' } // matches no row in the same time
  const who = memberKey(name, await unknownNameHash(env.HMAC_SECRET, username), now)
  const found = await batchWithChallenge(
    ctx,
    input,
    { account: signInKey(who), field: 'password', purpose: 'client_login' },
    {
      ...recordSignIn(db, { who, origin: ctx, now }),
      members: selectMemberByName(db, name, now),
      directories: selectDirectoryOf(db, name, now),
    },
  )
  const pauses = [
    { attempts: found.atAddress[0], limit: LOGIN_GUARD.failures },
    { attempts: found.inWideBlock?.[0], limit: LOGIN_GUARD.failuresPerWideBlock },
  ]
  throwIf(checkAttempts(pauses, now))
  const member = found.members[0] ?? null
  const check = { passwords: ctx.passwords, client: visitorClient(ctx, `client:${username}`), sealKeys: env.SEAL_KEYS }
  const isOwn = await isMemberPassword(check, member, password).catch(async (error: unknown) => {
    if (error instanceof Refusal) await batch(db, undoSignIn(db, who, ctx)) // no password was checked, so nothing counts
    throw error
  })
  const directory = found.directories[0]?.[0]
  const isRight =
    isOwn || (directory !== undefined && (await isDirectoryPassword(ctx, { directory, member, name, input, who })))
  if (!isRight || !member) {
    await insertLoginRecords(ctx, member ? [member] : [], input, LOGIN_FAILURE.password)
    return refuse('LOGIN_FAILED')
  }
  const refused = checkMember(member)
  if (refused) {
    await insertLoginRecords(ctx, [member], input, failureOf(refused))
    throw new Refusal(refused)
  }
  const opened = await openSession(ctx, member, input)
  await batch(db, {
    credential: guardPassword(db, member),
    ...opened.writes,
    ...forgiveSignIn(db, `client:${member.id}`, ctx),
  })
  return opened.answer()
}
