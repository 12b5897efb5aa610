import type { BatchItem } from 'drizzle-orm/batch'
import type { z } from 'zod'
import type { Output, Parsed } from '../../contract/endpoint.ts'
import { violation, refuse, throwIf } from '../../contract/errors.ts'
import { ROUTER_TYPE } from '../../contract/limits.ts'
import type { hardwareClaim, routerApi, softwareForm } from '../../contract/router.ts'
import { refusingTaken } from '../../db/guard.ts'
import { activationHash } from '../../security/activation.ts'
import { type Ctx, accountOf } from '../../http/context.ts'
import { hashPassword } from '../../security/password.ts'
import { auditRow, said } from '../audit/queries.ts'
import { checkCode, codeAnswer, tryCode, useCode } from '../verify/queries.ts'
import { softwareRoom } from './queries.ts'
import {
  countWrongCode,
  forgetWrongCodes,
  guardActivations,
  guardPhoneFree,
  guardSign,
  guardSoftwareRoom,
  insertClaimed,
  insertRouter,
  isClaimRight,
  serialOf,
  withPhone,
} from './queries-add.ts'

type Added = Output<typeof routerApi.add>

export const addRouter = (ctx: Ctx, input: Parsed<typeof routerApi.add>): Promise<Added> =>
  input.router_type === ROUTER_TYPE.hardware ? claimDevice(ctx, input) : addSoftware(ctx, input)

/**
 * Whoever holds the code printed on the box may claim the device while nobody else has it; a deleted member's device can
 * be claimed again with the same code. An unknown serial and a wrong code are answered alike.
 */
async function claimDevice(ctx: Ctx, input: z.output<typeof hardwareClaim>): Promise<Added> {
  const { db, now } = ctx
  const { username: serial, code, note } = input
  const hash = await activationHash(ctx.env.HMAC_SECRET, serial, code)
  const claim = { accountId: accountOf(ctx), serial, hash }
  const name = serialOf(claim)
  const write = db.batch([
    guardActivations(db, claim, now),
    countWrongCode(db, claim, now),
    insertClaimed(db, claim, note, now),
    forgetWrongCodes(db, claim),
    auditRow(ctx, {
      module: 'router',
      action: 'add',
      target: name,
      message: said`绑定硬件成员“${name}”`,
      after: { router_name: name, note },
      when: isClaimRight(claim),
    }),
  ])
  const claimed = violation('DEVICE_CLAIMED')
  const [, , [router]] = await refusingTaken(write, { 'routers.device_id': claimed, 'routers.name': claimed })
  return { router_name: router?.[0] ?? refuse('DEVICE_UNKNOWN') }
}

/** A phone may belong to several members, once its holder has confirmed that with a code (`type` 2). */
async function addSoftware(ctx: Ctx, input: z.output<typeof softwareForm>): Promise<Added> {
  const { db, now } = ctx
  const accountId = accountOf(ctx)
  const { sign, max, codeId } = await checkSoftware(ctx, input)
  const name = `${input.username}@${sign}`
  const phoneStatements: readonly BatchItem<'sqlite'>[] =
    codeId === null ? [guardPhoneFree(db, accountId, input.area_code, input.phone)] : useCode(db, codeId, now)
  const password = await hashPassword(input.password)
  const write = db.batch([
    guardSign(db, accountId, sign),
    ...phoneStatements,
    insertRouter(db, {
      accountId,
      name,
      routerType: ROUTER_TYPE.software,
      note: input.note,
      password,
      areaCode: input.area_code,
      phone: input.phone || null,
      createdAt: now,
    }),
    guardSoftwareRoom(db, accountId, max, now),
    auditRow(ctx, {
      module: 'router',
      action: 'add',
      target: name,
      message: `添加软件成员“${name}”`,
      after: { router_name: name, note: input.note, area_code: input.area_code, phone: input.phone },
    }),
  ])
  await refusingTaken(write, { 'routers.name': violation('ROUTER_NAME_TAKEN') })
  return { router_name: name }
}

/** What must hold before a password is hashed; all but the code is asked again inside the write. */
async function checkSoftware(ctx: Ctx, input: z.output<typeof softwareForm>) {
  const { db, now } = ctx
  const accountId = accountOf(ctx)
  const purpose = 'app_change_phone'
  const confirms = input.type === 2
  const target = confirms ? `+${input.area_code} ${input.phone}` : '' // no code ever went to nowhere
  const [[room = { sign: null, used: 0, max: 0 }], sharing, [tried]] = await db.batch([
    softwareRoom(db, accountId, now),
    withPhone(db, accountId, input.area_code, input.phone),
    tryCode(db, { purpose, target, accountId }, now),
  ])
  const { sign, used, max } = room
  if (sign === null) return refuse('SIGN_REQUIRED')
  if (used >= max) refuse('SOFTWARE_LIMIT_REACHED', { limit: max })
  if (!confirms && sharing.length > 0) refuse('PHONE_MUST_VERIFY')
  if (confirms) throwIf(checkCode(tried, await codeAnswer(ctx.env.HMAC_SECRET, purpose, input.code)))
  return { sign, max, codeId: confirms ? (tried?.id ?? null) : null }
}
