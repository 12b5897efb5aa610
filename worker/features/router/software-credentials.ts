import type { Parsed } from '#contract/kernel/endpoint.ts'
import { refuse, throwIf } from '#contract/kernel/errors.ts'
import { coversNetwork } from '#contract/kernel/permissions.ts'
import { auditRow } from '#db/audit.ts'
import { type Results, batch } from '#db/batch.ts'
import { endClientSessions } from '#features/client/sql/sessions.ts'
import { idList } from '#db/columns.ts'
import { consumeOtp, guardOtpUnused, recordOtpAttempt } from '#features/verify/sql/codes.ts'
import { refreshSoftwareServers } from '#features/network-fr/sql/nodes.ts'
import { selectNetworksByRouter, updateRouter } from './sql/routers.ts'
import { forgetFailures } from '#features/login/sql/attempts.ts'
import { checkPassword } from '#domain/account/password.ts'
import { checkOtp } from '#domain/verify/otp.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { hashInPool, signedInClient } from '#http/hash-client.ts'
import { otpHash } from '#security/one-time.ts'
import { guardPhoneFree, selectWithPhone } from './sql/add.ts'
import { selectSoftwareMember, updatePassword } from './sql/software.ts'
import type { routerApi } from '#contract/router/index.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { personKey } from '#domain/account/user.ts'

/* Phone and password of a software member. */

type Api = typeof routerApi

/** Binds a phone. Several members may have one phone, if its holder has confirmed that with a code (`type` 2). */
export async function bindPhone(ctx: Ctx, input: Parsed<Api['phone']>): Promise<void> {
  const { db, now } = ctx
  const session = requireSession(ctx)
  const { accountId } = session
  const { router_name, area_code, phone } = input
  const purpose = 'app_change_phone'
  const isConfirmed = input.type === 2
  const target = isConfirmed ? `+${area_code} ${phone}` : '' // no code was ever sent to an empty target
  const typed = await otpHash(ctx.env.HMAC_SECRET, purpose, input.code)
  const found = await batch(db, {
    ...selectMember(ctx, router_name),
    sharing: selectWithPhone(db, accountId, area_code, phone),
    attempts: recordOtpAttempt(db, { purpose, target, owner: personKey(session) }, typed, now),
  })
  const member = requireOwn(ctx, found)
  if (member.areaCode === area_code && member.phone === phone) return
  const [attempt] = found.attempts
  if (isConfirmed) throwIf(checkOtp(attempt))
  else if (found.sharing.length > 0) refuse('PHONE_MUST_VERIFY')
  await batch(db, {
    free: !isConfirmed && guardPhoneFree(db, accountId, area_code, phone),
    unused: attempt !== undefined && guardOtpUnused(db, attempt.id),
    code: attempt !== undefined && consumeOtp(db, attempt.id, now),
    phone: updateRouter(db, member, { areaCode: area_code, phone }),
    audit: auditRow(ctx, {
      module: 'router',
      action: 'phone',
      target: member.name,
      message: `修改成员“${member.name}”的手机号码`,
      before: { area_code: member.areaCode, phone: member.phone ?? '' },
      after: { area_code, phone },
    }),
  })
}

/**
 * Changes the password and ends the member's sessions; its devices sign in again. Centres and nodes cut its tunnels with
 * their next document; an offline one gets it at its return.
 */
export async function changePassword(ctx: Ctx, { router_name, password }: Parsed<Api['password']>): Promise<void> {
  const { db, now } = ctx
  const member = requireOwn(ctx, await batch(db, selectMember(ctx, router_name)))
  if (!member.accountPhone && !member.accountEmail) refuse('CONTACT_REQUIRED')
  throwIf(checkPassword(password, { names: [member.name], phone: member.phone }))
  const hash = await hashInPool(ctx.passwords, signedInClient(ctx), password)
  await batch(db, {
    password: updatePassword(db, member, hash),
    sessions: endClientSessions(db, member.accountId, [member.id], now),
    failures: forgetFailures(db, `client:${member.id}`),
    servers: refreshSoftwareServers(ctx, idList([member.id])),
    audit: auditRow(ctx, {
      module: 'router',
      action: 'password',
      target: member.name,
      message: `修改成员“${member.name}”的密码`,
    }),
  })
}

const selectMember = (ctx: Ctx, name: string) => ({
  members: selectSoftwareMember(ctx.db, requireSession(ctx), name),
  networks: selectNetworksByRouter(ctx.db, requireSession(ctx), name),
})

/** Requires a software member with all its networks in the caller's scope. */
function requireOwn(ctx: Ctx, { members: [member], networks }: Results<ReturnType<typeof selectMember>>) {
  const { grants } = requireSession(ctx)
  if (!member) return refuse('ROUTER_NOT_FOUND')
  if (member.routerType !== ROUTER_TYPE.software) refuse('SOFTWARE_ONLY')
  if (member.source === 'ldap') refuse('LDAP_MANAGED')
  if (!networks.every(({ number }) => coversNetwork(grants, number))) refuse('ROUTER_SHARED')
  return member
}
