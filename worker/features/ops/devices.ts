import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { violation } from '#contract/kernel/result.ts'
import type { opsApi } from '#contract/ops/index.ts'
import { batch } from '#db/batch.ts'
import { mapUniqueViolation } from '#db/guard.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { requireRow } from '#db/require-row.ts'
import type { Ctx } from '#http/context.ts'
import { activationHash, newActivationCode } from '#security/device-secrets.ts'
import { randomText } from '#security/secrets.ts'
import { operatorAudit } from './audit.ts'
import { revokeCertificates } from '#features/network/sql/revocations.ts'
import { deleteRequest } from '#features/router/sql/certificates.ts'
import { insertDevice, resetDevice as updateDeviceReset, selectDevice } from './sql/accounts.ts'

/* Operator's registration of devices, and reset of their activation codes. */

type Label = Output<typeof opsApi.provisionDevice>

const toLabel = (serial: string, code: string): Label => ({
  serial,
  activation_code: code,
  claim_path: `/claim#${serial}.${code}`,
})

/** Registers a device. The code is answered only once, because only its hash is stored. */
export async function provisionDevice(ctx: Ctx, input: Parsed<typeof opsApi.provisionDevice>): Promise<Label> {
  const { db, env, now } = ctx
  const serial = input.serial ?? `NL-${randomText('23456789ABCDEFGHJKMNPQRSTUVWXYZ', 10)}`
  const code = newActivationCode()
  const hash = await activationHash(env.HMAC_SECRET, serial, code)
  const entry = { action: 'device/provision', target: serial, message: '运营登记设备' }
  const write = batch(db, {
    device: insertDevice(db, { serial, model: input.model, activationHash: hash, createdAt: now }),
    audit: operatorAudit(ctx, 0, { ...entry, after: { model: input.model } }),
  })
  await mapUniqueViolation(write, { 'devices.serial': violation('SERIAL_TAKEN') })
  return toLabel(serial, code)
}

/**
 * Resets the code. The device must enrol again with the new one; until then its key is refused, and the certificates of its
 * router are revoked.
 */
export async function resetDevice(ctx: Ctx, { serial: typed }: Parsed<typeof opsApi.resetDevice>): Promise<Label> {
  const { db, env, now } = ctx
  const device = await requireRow(selectDevice(db, typed), 'DEVICE_NOT_FOUND')
  const { id, serial, hub, routerId, accountId } = device
  const router = routerId === null || accountId === null ? null : { id: routerId, accountId }
  const code = newActivationCode()
  const hash = await activationHash(env.HMAC_SECRET, serial, code)
  const entry = { action: 'device/reset', target: serial, message: '运营重置设备激活码' }
  await batch(db, {
    device: updateDeviceReset(db, id, hash, now),
    ...(router && revokeCertificates(ctx, router.accountId, [router.id])),
    request: router !== null && deleteRequest(db, router),
    audit: operatorAudit(ctx, 0, entry),
    hubs: notifyHubs(ctx, refreshTasks('router', hub === null ? [] : [hub])), // closes the socket of the former key
  })
  return toLabel(serial, code)
}
