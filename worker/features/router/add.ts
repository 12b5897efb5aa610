import type { z } from 'zod'
import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { refuse, throwIf } from '#contract/kernel/errors.ts'
import { violation } from '#contract/kernel/result.ts'
import type { hardwareClaim, softwareForm } from '#contract/router/routers.ts'
import { auditRow } from '#db/audit.ts'
import { type Results, batch } from '#db/batch.ts'
import { mapUniqueViolation } from '#db/guard.ts'
import { consumeOtp, guardOtpUnused, recordOtpAttempt } from '#features/verify/sql/codes.ts'
import { guardSign, guardSoftwareQuota } from '#db/quota.ts'
import { checkPassword } from '#domain/account/password.ts'
import { checkOtp } from '#domain/verify/otp.ts'
import { type Ctx, requireAccountId, requireSession } from '#http/context.ts'
import { hashInPool, signedInClient } from '#http/hash-client.ts'
import { newHubName, placeOf } from '#security/hub-name.ts'
import { otpHash } from '#security/one-time.ts'
import { checkJoinRight, requireJoin, selectJoin, writeWithJoin } from './join.ts'
import { selectSoftwareQuota } from './sql/lists.ts'
import {
  deleteWrongCodes,
  guardClaim,
  guardPhoneFree,
  insertRouter,
  selectSoftwareNamed,
  selectWithPhone,
  type Claim,
  recordWrongCode,
  selectClaimed,
  selectWrongCodes,
} from './sql/add.ts'
import type { routerApi } from '#contract/router/index.ts'
import { ROUTER_TYPE, ACTIVATION_GUARD } from '#contract/router/limits.ts'
import { deleteRemoval } from '#features/device/sql.ts'
import { personKey } from '#domain/account/user.ts'
import { selectAccountHub } from '#features/account/sql/accounts.ts'
import { activationHash } from '#security/device-secrets.ts'

/* New members of an account: claim of a device by the code on its box, and creation of a software member. */

type Added = Output<typeof routerApi.add>

export async function addRouter(ctx: Ctx, input: Parsed<typeof routerApi.add>): Promise<Added> {
  checkJoinRight(ctx, input.network_number)
  return input.router_type === ROUTER_TYPE.hardware ? claimDevice(ctx, input) : addSoftware(ctx, input)
}

/**
 * Claims a device by the code on its box, unless somebody else has it. The device of a deleted member can be claimed again
 * with the same code. An unknown serial and a wrong code get the same answer.
 */
async function claimDevice(ctx: Ctx, input: z.output<typeof hardwareClaim>): Promise<Added> {
  const { db, now } = ctx
  const { username: serial, code, note, network_number } = input
  const accountId = requireAccountId(ctx)
  const claim = await toClaim(ctx, serial, code)
  const found = await batch(db, { ...selectClaim(ctx, claim), ...selectJoin(ctx, network_number) })
  const { device, account } = requireClaim(ctx, found)
  const { serial: name, id: deviceId } = device
  const hub = newHubName(placeOf(account.hub))
  const write = writeWithJoin(ctx, network_number, [{ name, hub, type: ROUTER_TYPE.hardware }], found, {
    claim: guardClaim(db, claim),
    router: insertRouter(db, {
      accountId,
      name,
      routerType: ROUTER_TYPE.hardware,
      deviceId,
      note,
      hub,
      createdAt: now,
    }),
    returned: deleteRemoval(db, name),
    wrong: deleteWrongCodes(db, claim),
    audit: auditRow(ctx, {
      module: 'router',
      action: 'add',
      target: name,
      message: `绑定硬件成员“${name}”`,
      after: { router_name: name, note },
    }),
  })
  const claimed = violation('DEVICE_CLAIMED')
  await mapUniqueViolation(write, { 'routers.device_id': claimed, 'routers.name': claimed })
  return { router_name: name }
}

/** Adds a software member. Several members may have one phone, if its holder has confirmed that with a code (`type` 2). */
async function addSoftware(ctx: Ctx, input: z.output<typeof softwareForm>): Promise<Added> {
  const { db, now } = ctx
  const accountId = requireAccountId(ctx)
  const { sign, max, accountHub, codeId, found } = await checkSoftware(ctx, input)
  const name = `${input.username}@${sign}`
  const hub = newHubName(placeOf(accountHub))
  const password = await hashInPool(ctx.passwords, signedInClient(ctx), input.password)
  const write = writeWithJoin(ctx, input.network_number, [{ name, hub, type: ROUTER_TYPE.software }], found, {
    sign: guardSign(db, accountId, sign),
    phone: codeId === null && guardPhoneFree(db, accountId, input.area_code, input.phone),
    unused: codeId !== null && guardOtpUnused(db, codeId),
    code: codeId !== null && consumeOtp(db, codeId, now),
    router: insertRouter(db, {
      accountId,
      name,
      routerType: ROUTER_TYPE.software,
      note: input.note,
      password,
      areaCode: input.area_code,
      phone: input.phone || null,
      hub,
      createdAt: now,
    }),
    quota: guardSoftwareQuota(db, accountId, max, now),
    audit: auditRow(ctx, {
      module: 'router',
      action: 'add',
      target: name,
      message: `添加软件成员“${name}”`,
      after: { router_name: name, note: input.note, area_code: input.area_code, phone: input.phone },
    }),
  })
  await mapUniqueViolation(write, { 'routers.name': violation('ROUTER_NAME_TAKEN') })
  return { router_name: name }
}

/** Checks before a password is hashed. The write repeats all checks but that of the code. */
async function checkSoftware(ctx: Ctx, input: z.output<typeof softwareForm>) {
  const { db, now } = ctx
  const accountId = requireAccountId(ctx)
  const purpose = 'app_change_phone'
  const { username, phone } = input
  throwIf(checkPassword(input.password, { names: [username], phone }))
  const isConfirmed = input.type === 2
  const target = isConfirmed ? `+${input.area_code} ${phone}` : '' // no code was ever sent to an empty target
  const owner = personKey(requireSession(ctx))
  const typed = await otpHash(ctx.env.HMAC_SECRET, purpose, input.code)
  const found = await batch(db, {
    quotas: selectSoftwareQuota(db, accountId, now),
    named: selectSoftwareNamed(db, accountId, username),
    sharing: selectWithPhone(db, accountId, input.area_code, phone),
    attempts: recordOtpAttempt(db, { purpose, target, owner }, typed, now),
    ...selectJoin(ctx, input.network_number),
  })
  const [[quota], [attempt]] = [found.quotas, found.attempts]
  if (!quota) return refuse('SESSION_REVOKED')
  const { sign, used, max, hub: accountHub } = quota
  if (sign === null) return refuse('SIGN_REQUIRED')
  if (used >= max) refuse('SOFTWARE_LIMIT_REACHED', { limit: max })
  requireJoin(input.network_number, found, [{ name: username, type: ROUTER_TYPE.software }])
  if (!isConfirmed && found.sharing.length > 0) refuse('PHONE_MUST_VERIFY')
  if (found.named.length > 0) refuse('ROUTER_NAME_TAKEN')
  if (isConfirmed) throwIf(checkOtp(attempt))
  return { sign, max, accountHub, codeId: isConfirmed ? (attempt?.id ?? null) : null, found }
}

/** Claim of a typed serial and code. */
export async function toClaim(ctx: Ctx, serial: string, code: string): Promise<Claim> {
  const { accountId, ramId } = requireSession(ctx)
  return { accountId, ramId, serial, hash: await activationHash(ctx.env.HMAC_SECRET, serial, code) }
}

/** Statements that read the device of a claim and count a wrong code, for the call's first round trip. */
export const selectClaim = ({ db, now }: Ctx, claim: Claim) => ({
  wrong: selectWrongCodes(db, claim, now),
  recorded: recordWrongCode(db, claim, now),
  devices: selectClaimed(db, claim),
  accounts: selectAccountHub(db, claim.accountId),
})

type LoadedClaim = Results<ReturnType<typeof selectClaim>>

/** Device of a claim with the right code. An unknown serial and a wrong code get the same refusal. */
export function requireClaim({ now }: Ctx, { wrong: [wrong], devices: [device], accounts: [account] }: LoadedClaim) {
  if (wrong && wrong.count >= ACTIVATION_GUARD.failures) {
    refuse('TOO_OFTEN', { retry_after: Math.ceil((wrong.windowEnd - now) / 1000) })
  }
  return { device: device ?? refuse('DEVICE_UNKNOWN'), account: account ?? refuse('SESSION_REVOKED') }
}
