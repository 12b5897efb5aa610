import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { OV_PRIORITY } from '#contract/network/limits.ts'
import type { opsApi } from '#contract/ops/index.ts'
import { batch } from '#db/batch.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { addYears } from '#contract/kernel/time.ts'
import { insertMessage } from '#features/message/sql.ts'
import { renewFr } from '#features/network-fr/sql/frs.ts'
import type { Ctx } from '#http/context.ts'
import { operatorAudit } from './audit.ts'
import {
  bumpFrNetworks,
  readRunningFrs,
  selectFrArea,
  selectFrHubs,
  selectRunningFr,
  updateAreaBandwidth,
  withdrawFr,
} from './sql/network-frs.ts'

/* POP resources: the operator lists, renews and withdraws them, also after their order is cancelled or gone. */

type OpsInput<K extends keyof typeof opsApi> = Parsed<(typeof opsApi)[K]>

export async function listNetworkFrs(ctx: Ctx): Promise<Output<typeof opsApi.listNetworkFrs>> {
  const rows = await readRunningFrs(ctx.db)
  return rows.map(([id, account, name, createdAt, expireAt, networks, ticket]) => ({
    network_fr_id: id,
    account,
    name,
    create_time: createdAt,
    expired_time: expireAt,
    network_number: JSON.parse(networks) as string[],
    ticket_number: ticket,
    withdrawal_due: ticket === '' ? 1 : 0,
  }))
}

/** Renews a resource from its end, or from now if it is over. */
export async function renewNetworkFr(ctx: Ctx, input: OpsInput<'renewNetworkFr'>): Promise<void> {
  const { db, now } = ctx
  const found = await requireFr(ctx, input.network_fr_id)
  const { accountId, id: frId, expireAt } = found.fr
  await batch(db, {
    fr: renewFr(db, { accountId, frId, expireAt: addYears(Math.max(now, expireAt), input.expired_time) }),
    networks: bumpFrNetworks(db, { accountId, frId }),
    ...noticeStatements(ctx, found, { action: 'renew', verb: '续期', note: input.note }),
  })
}

/** Sets the bandwidth of one area. Devices change the rate of running tunnels. */
export async function setNetworkFrBandwidth(ctx: Ctx, input: OpsInput<'networkFrBandwidth'>): Promise<void> {
  const { db } = ctx
  const { network_fr_id: frId, name, bandwidth, note } = input
  const { frs, hubs, areas } = await batch(db, {
    frs: selectRunningFr(db, frId),
    hubs: selectFrHubs(db, frId),
    areas: selectFrArea(db, frId, name),
  })
  const found = { fr: frs[0] ?? refuse('NETWORK_FR_NOT_FOUND'), hubs }
  const area = areas[0] ?? refuse('POP_NOT_FOUND')
  const { accountId } = found.fr
  await batch(db, {
    area: updateAreaBandwidth(db, { accountId, areaId: area.id }, bandwidth),
    networks: bumpFrNetworks(db, { accountId, frId }),
    ...noticeStatements(ctx, found, {
      action: 'bandwidth',
      verb: `调整“${area.name}”的带宽为${bandwidth}M`,
      note,
      change: { before: { bandwidth: area.bandwidth }, after: { pop: area.name, bandwidth } },
    }),
  })
}

export async function withdrawNetworkFr(ctx: Ctx, { network_fr_id: id, note }: OpsInput<'withdrawNetworkFr'>) {
  const { db, now } = ctx
  const found = await requireFr(ctx, id)
  await batch(db, {
    ...withdrawFr(db, { accountId: found.fr.accountId, frId: id }, note, OV_PRIORITY.default, now),
    ...noticeStatements(ctx, found, { action: 'withdraw', verb: '撤销', note }),
  })
}

type LoadedFr = Awaited<ReturnType<typeof requireFr>>

async function requireFr({ db }: Ctx, id: number) {
  const { frs, hubs } = await batch(db, { frs: selectRunningFr(db, id), hubs: selectFrHubs(db, id) })
  return { fr: frs[0] ?? refuse('NETWORK_FR_NOT_FOUND'), hubs }
}

interface Step {
  readonly action: string
  readonly verb: string
  readonly note: string
  /** Changed values, for the audit. */
  readonly change?: Record<'before' | 'after', Readonly<Record<string, unknown>>>
}

/** Audit row, message and hubs of an operator's action on a resource. */
function noticeStatements(ctx: Ctx, { fr, hubs }: LoadedFr, { action, verb, note, change }: Step) {
  const { db, now } = ctx
  const { accountId, id, name, accountHub } = fr
  return {
    message: insertMessage(db, {
      accountId,
      eventId: `network_fr:${id}:${action}:${now}`,
      type: '工单',
      title: `POP资源已${verb}`,
      content: `POP资源“${name}”已${verb}。${note === '' ? '' : `说明：${note}`}`,
      createdAt: now,
    }),
    audit: operatorAudit(ctx, accountId, {
      action: `network_fr/${action}`,
      target: name,
      message: `运营${verb}POP资源“${name}”`,
      ...(change && { before: change.before }),
      after: { ...change?.after, note },
    }),
    hubs: notifyHubs(ctx, [
      ...refreshTasks('account', [accountHub]),
      ...hubs.map(([kind, hub]) => ({ kind, hub, op: 'refresh' }) as const),
    ]),
  }
}
