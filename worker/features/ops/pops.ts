import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { violation } from '#contract/kernel/result.ts'
import type { opsApi } from '#contract/ops/index.ts'
import { batch } from '#db/batch.ts'
import { mapUniqueViolation } from '#db/guard.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { requireRow } from '#db/require-row.ts'
import type { Ctx } from '#http/context.ts'
import { operatorAudit } from './audit.ts'
import { toConfigView, toPresenceView } from '#domain/router/presence.ts'
import type { RefusedNetwork } from '#domain/router/refused-networks.ts'
import { POP } from '#contract/network/limits.ts'
import { guardNode, insertPop, saveNode, selectNodeDevice, selectNodeStates, selectPop, updatePop } from './sql/pops.ts'

/* Operator's POP areas and their nodes. */

type OpsInput<K extends keyof typeof opsApi> = Parsed<(typeof opsApi)[K]>

const TAKEN = { 'pops.name': violation('POP_NAME_TAKEN') }

export async function createPop(ctx: Ctx, { name }: OpsInput<'createPop'>): Promise<Output<typeof opsApi.createPop>> {
  const write = batch(ctx.db, {
    pops: insertPop(ctx.db, { name, createdAt: ctx.now }),
    audit: operatorAudit(ctx, 0, { action: 'pop/create', target: name, message: `运营新增POP区域“${name}”` }),
  })
  const { pops } = await mapUniqueViolation(write, TAKEN)
  return { pop_id: pops[0]?.id ?? refuse('POP_NOT_FOUND') }
}

export async function editPop(ctx: Ctx, { name, new_name }: OpsInput<'editPop'>): Promise<void> {
  const pop = await requirePop(ctx, name)
  const write = batch(ctx.db, {
    pop: updatePop(ctx.db, pop.id, { name: new_name }),
    audit: operatorAudit(ctx, 0, {
      action: 'pop/edit',
      target: name,
      message: `运营将POP区域“${pop.name}”改名为“${new_name}”`,
      before: { name: pop.name },
      after: { name: new_name },
    }),
  })
  await mapUniqueViolation(write, { 'pops.name': violation('POP_NAME_TAKEN', {}, 'new_name') })
}

/** Stops or resumes the sale of an area; resources that were bought stay. */
export async function disablePop(ctx: Ctx, { name, status }: OpsInput<'disablePop'>): Promise<void> {
  const pop = await requirePop(ctx, name)
  await batch(ctx.db, {
    pop: updatePop(ctx.db, pop.id, { status }),
    audit: operatorAudit(ctx, 0, {
      action: 'pop/disable',
      target: name,
      message: status === 0 ? `运营停售POP区域“${pop.name}”` : `运营恢复POP区域“${pop.name}”`,
      before: { status: pop.status },
      after: { status },
    }),
  })
}

/** Makes a device a node of an area. Networks get nodes when their order is completed, so it serves later orders. */
export async function setPopNode(ctx: Ctx, { name, serial, status }: OpsInput<'popNode'>): Promise<void> {
  const { db, now } = ctx
  const {
    pop: [pop],
    device: [device],
  } = await batch(db, { pop: selectPop(db, name), device: selectNodeDevice(db, serial) })
  if (!pop) return refuse('POP_NOT_FOUND')
  if (!device) return refuse('POP_NODE_UNKNOWN')
  await batch(db, {
    ...guardNode(db, device.id, pop.id),
    node: saveNode(db, { popId: pop.id, routerId: device.id, status, createdAt: now }),
    audit: operatorAudit(ctx, 0, {
      action: 'pop/node',
      target: device.name,
      message: `运营将设备“${device.name}”设为POP区域“${pop.name}”的节点`,
      after: { pop: pop.name, status },
    }),
    hubs: notifyHubs(ctx, refreshTasks('router', [device.hub])),
  })
}

export async function listPopNodes(ctx: Ctx): Promise<Output<typeof opsApi.popNodes>> {
  const rows = await selectNodeStates(ctx.db)
  return rows.map(({ state, refused, ...node }) => ({
    ...node,
    networks_max: POP.networksPerNode,
    presence: toPresenceView(state),
    config: toConfigView(state),
    refused: (JSON.parse(refused ?? '[]') as readonly RefusedNetwork[]).map(({ number, reason }) => ({
      network_number: number,
      reason,
    })),
  }))
}

const requirePop = (ctx: Ctx, name: string) => requireRow(selectPop(ctx.db, name), 'POP_NOT_FOUND')
