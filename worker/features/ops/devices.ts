import { violation } from '../../contract/errors.ts'
import type { Output, Parsed } from '../../contract/endpoint.ts'
import type { opsApi } from '../../contract/ops.ts'
import { guard, refusingTaken } from '../../db/guard.ts'
import { activationHash, newActivationCode } from '../../security/activation.ts'
import type { Ctx } from '../../http/context.ts'
import { randomText } from '../../security/secrets.ts'
import { auditRow, operatorFor } from '../audit/queries.ts'
import { insertDevice, isDevice, resetDevice as forgetKey, routerOfDevice } from './queries.ts'

type Label = Output<typeof opsApi.provisionDevice>

/** The service's own log: a device belongs to no account yet. */
const HOUSE = operatorFor(0)

/** The code is answered once and never again: only its hash is kept. */
export async function provisionDevice(ctx: Ctx, input: Parsed<typeof opsApi.provisionDevice>): Promise<Label> {
  const { db, env, now } = ctx
  const serial = input.serial ?? `NL-${randomText('23456789ABCDEFGHJKMNPQRSTUVWXYZ', 10)}`
  const code = newActivationCode()
  const hash = await activationHash(env.HMAC_SECRET, serial, code)
  const entry = { module: 'ops', action: 'device/provision', target: serial, message: '运营登记设备' }
  await refusingTaken(
    db.batch([
      insertDevice(db, { serial, model: input.model, activationHash: hash, createdAt: now }),
      auditRow(ctx, { ...entry, after: { model: input.model } }, HOUSE),
    ]),
    { 'devices.serial': violation('SERIAL_TAKEN') },
  )
  return { serial, activation_code: code }
}

/** The device must be registered again with the new code; until then its key is refused. */
export async function resetDevice(ctx: Ctx, serial: string): Promise<Label> {
  const { db, env } = ctx
  const code = newActivationCode()
  const hash = await activationHash(env.HMAC_SECRET, serial, code)
  const entry = { module: 'ops', action: 'device/reset', target: serial, message: '运营重置设备激活码' }
  const [, [device], , [router]] = await db.batch([
    guard(db, isDevice(serial), violation('DEVICE_NOT_FOUND')),
    forgetKey(db, serial, hash),
    auditRow(ctx, entry, HOUSE),
    routerOfDevice(db, serial),
  ])
  if (router) ctx.waitUntil(ctx.hubs.router(router.id).refresh()) // its socket was opened with the key that is gone
  return { serial: device?.serial ?? serial, activation_code: code }
}
