import type { clientApi } from '#contract/client/index.ts'
import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { Refusal, refuse, throwIf } from '#contract/kernel/errors.ts'
import type { HubName } from '#contract/kernel/hubs.ts'
import type { HashClient, Passwords } from '#contract/kernel/passwords.ts'
import { LDAP_SIGN_IN } from '#contract/ldap/limits.ts'
import { batch } from '#db/batch.ts'
import { forgiveSignIn, pausesOf, recordSignIn, signInKey, undoSignIn } from '#features/login/sql/attempts.ts'
import { readRamName, type RamName } from '#domain/account/login-name.ts'
import { LOGIN_FAILURE } from '#domain/client/member.ts'
import { checkAttempts } from '#domain/login/sign-in.ts'
import type { Ctx } from '#http/context.ts'
import { visitorClient } from '#http/hash-client.ts'
import { HubAway } from '#http/hub-answers.ts'
import { faultText, log } from '#http/log.ts'
import { unknownNameHash } from '#security/one-time.ts'
import {
  guardPassword,
  memberKey,
  selectDirectoryOf,
  selectMemberByName,
  insertLoginRecords,
  type SigningMember,
  type Device,
} from './sql/members.ts'
import { openSession } from './session.ts'
import { batchWithChallenge } from '#features/verify/service.ts'
import { memberPasswordPlace, openSealed } from '#security/sealed.ts'
import { timingSafeEqual } from '#security/secrets.ts'

/* Sign-in of a software member at the client by name and password, its own or that of the directory. */

/**
 * Checks the counters, the password, then the states that only its owner may learn. An unknown name takes the same
 * statements and time. Repeated failures at a member require a proof of work, and pause only their own address.
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
  throwIf(checkAttempts(pausesOf(found), now))
  const member = found.members[0] ?? null
  const check = { passwords: ctx.passwords, client: visitorClient(ctx, `client:${username}`), sealKeys: env.SEAL_KEYS }
  const isOwn = await isMemberPassword(check, member, password).catch(async (error: unknown) => {
    if (error instanceof Refusal) await batch(db, undoSignIn(db, who, ctx)) // no password was checked, so nothing counts
    throw error
  })
  const directory = found.directories[0]?.[0]
  const failure = isOwn
    ? null
    : directory === undefined
      ? LOGIN_FAILURE.password
      : await checkDirectoryPassword(ctx, { directory, member, name, input, who })
  if (failure !== null || !member) {
    await insertLoginRecords(ctx, member ? [member] : [], input, failure ?? LOGIN_FAILURE.password)
    return refuse('LOGIN_FAILED')
  }
  const opened = await openSession(ctx, member, input)
  await batch(db, {
    credential: guardPassword(db, member),
    ...opened.writes,
    ...forgiveSignIn(db, `client:${member.id}`, ctx),
  })
  return opened.answer()
}

interface Attempt {
  readonly directory: HubName
  readonly member: SigningMember | null
  /** Typed name. */
  readonly name: RamName
  readonly input: Device & { readonly password: string }
  readonly who: Parameters<typeof undoSignIn>[1]
}

/**
 * Asks the account's directory about a password that is not the member's own, also for unknown names: neither the answer
 * nor its duration may tell which members were imported. Passwords of a directory are never stored. Returns the reason for
 * the log, null if the password is right.
 */
async function checkDirectoryPassword(ctx: Ctx, attempt: Attempt): Promise<string | null> {
  const { directory, member, name, input, who } = attempt
  const directoryId = member?.directoryId ?? null
  const hash = await unknownNameHash(ctx.env.HMAC_SECRET, name.name.toLowerCase()) // upper and lower case are one subject
  const subject = { key: directoryId ?? hash, directoryId }
  const found = await ctx.hubs.directory(directory).signIn(subject, input.password).catch(orAway)
  if (found === 'right') return null
  if (found === 'paused') return refuse('LOGIN_PAUSED', { minutes: LDAP_SIGN_IN.minutes })
  if (found !== 'away') return LOGIN_FAILURE[found === 'wrong' ? 'password' : found]
  await batch(ctx.db, undoSignIn(ctx.db, who, ctx)) // no password was checked, so nothing counts
  await insertLoginRecords(ctx, member ? [member] : [], input, LOGIN_FAILURE.directory)
  return refuse('DIRECTORY_UNAVAILABLE')
}

/** A hub that does not answer has checked no password, like a directory that cannot be reached. */
function orAway(error: unknown): 'away' {
  if (!(error instanceof HubAway)) throw error
  log('warn', 'directory hub', { error: faultText(error) })
  return 'away'
}

type MemberCredential = Pick<SigningMember, 'accountId' | 'hub' | 'password' | 'passwordSealed'>

interface Check {
  readonly passwords: Passwords
  readonly client: HashClient
  readonly sealKeys: string
}

/** Checks a member's own password, in the same time for an unknown member (null) or a sealed password. */
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
