import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { refuse, throwIf } from '#contract/kernel/errors.ts'
import type { opsApi } from '#contract/ops/index.ts'
import { batch } from '#db/batch.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { requireRow } from '#db/require-row.ts'
import { checkSoldBandwidth, maxBandwidth } from '#domain/saas/bandwidth.ts'
import type { Ctx } from '#http/context.ts'
import { operatorAudit } from './audit.ts'
import { requireAccount } from './accounts.ts'
import {
  guardPool,
  guardPoolDevices,
  savePool,
  saveSaasDevice,
  selectPool,
  selectSoldDevice,
  updateTemporary,
} from './sql/saas.ts'

/* Operator's sale of SaaS devices: their bandwidth and term, temporary bandwidth, and bandwidth pools. */

type OpsInput<K extends keyof typeof opsApi> = Parsed<(typeof opsApi)[K]>

/** Sets edition, bandwidth, term and pool of a device; its hub compiles the bandwidth into the device's document. */
export async function setSaas(ctx: Ctx, input: OpsInput<'saasSet'>): Promise<void> {
  const { db, now } = ctx
  const { serial, group, edition, bandwidth, max_bandwidth, expired_time, pool, country } = input
  const device = await requireRow(selectSoldDevice(db, serial, pool), 'SAAS_NO_DEVICE')
  if (pool !== '' && device.namedPoolId === null) return refuse('POOL_UNKNOWN')
  const max = maxBandwidth(max_bandwidth, device.namedPoolMax)
  throwIf(checkSoldBandwidth(bandwidth, max))
  if ((device.tempBandwidth ?? 0) > max) return refuse('BANDWIDTH_TOO_HIGH', { max }, 'max_bandwidth')
  const after = { group, edition, bandwidth, max_bandwidth, expired_time, pool, country }
  await batch(db, {
    pool: device.namedPoolId !== null && guardPool(db, device.namedPoolId, bandwidth),
    device: saveSaasDevice(db, {
      routerId: device.id,
      accountId: device.accountId,
      groupName: group,
      share: edition === 'shared' ? 1 : 0,
      bandwidth,
      maxBandwidth: max_bandwidth,
      expireAt: expired_time,
      poolId: device.namedPoolId,
      country,
      createdAt: now,
    }),
    audit: operatorAudit(ctx, device.accountId, {
      action: 'saas/set',
      target: device.name,
      message: `运营设置SaaS设备“${device.name}”`,
      after,
    }),
    hubs: notifyHubs(ctx, refreshTasks('router', [device.hub])),
  })
}

/** Sets a temporary bandwidth. The hub pushes the document at its start and at its end. */
export async function setSaasTemporary(ctx: Ctx, input: OpsInput<'saasTemporary'>): Promise<void> {
  const { db } = ctx
  const { serial, bandwidth, start_time, end_time } = input
  const device = await requireRow(selectSoldDevice(db, serial), 'SAAS_NO_DEVICE')
  if (device.maxBandwidth === null) return refuse('SAAS_NOT_FOUND')
  throwIf(checkSoldBandwidth(bandwidth, maxBandwidth(device.maxBandwidth, device.poolMax)))
  await batch(db, {
    device: updateTemporary(
      db,
      { accountId: device.accountId, routerId: device.id },
      { tempBandwidth: bandwidth, tempStartAt: start_time, tempExpireAt: end_time },
    ),
    audit: operatorAudit(ctx, device.accountId, {
      action: 'saas/temporary',
      target: device.name,
      message: `运营设置SaaS设备“${device.name}”的临时带宽`,
      after: { bandwidth, start_time, end_time },
    }),
    hubs: notifyHubs(ctx, refreshTasks('router', [device.hub])),
  })
}

export async function setPool(ctx: Ctx, input: OpsInput<'poolSet'>): Promise<Output<typeof opsApi.poolSet>> {
  const { db, now } = ctx
  const { account, name, max } = input
  const { id: accountId } = await requireAccount(ctx, account)
  const [known] = await selectPool(db, accountId, name)
  if (known && known.used > max) return refuse('BANDWIDTH_POOL_TOO_SMALL', { bandwidth: known.used })
  const { pools } = await batch(db, {
    devices: known && guardPoolDevices(db, known.id, max),
    pools: savePool(db, { accountId, name, max, createdAt: now }),
    audit: operatorAudit(ctx, accountId, {
      action: 'pool/set',
      target: name,
      message: `运营设置带宽池“${name}”`,
      ...(known && { before: { max: known.max } }),
      after: { max },
    }),
  })
  return { pool_id: pools[0]?.id ?? refuse('POOL_NOT_FOUND') }
}
