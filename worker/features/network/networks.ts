import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { throwIf } from '#contract/kernel/errors.ts'
import { auditRow } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { detectConflict, guardRevisions, retryOnConflict } from '#db/conflict.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { guardNoDirectory } from '#features/ldap/sql/config.ts'
import { deleteNetworkSettings, networkIdSql } from './sql/settings.ts'
import { cancelOpenTickets } from './sql/tickets.ts'
import { refreshCarriers } from '#features/network-fr/sql/nodes.ts'
import { revokeLeft } from './sql/revocations.ts'
import { updateNetworkStatus } from './sql/status.ts'
import { renewRights } from '#features/login/sql/sessions.ts'
import { affectedRouters, hardwareOf } from '#domain/network/members/affected.ts'
import { checkMembers, membersOfPlan, checkName } from '#domain/network/members/membership.ts'
import { type Ctx, requireAccountId, requireSession } from '#http/context.ts'
import { newHubName, placeOf } from '#security/hub-name.ts'
import { createNetworkSecret } from '#security/network-secret.ts'
import { hmac, randomText } from '#security/secrets.ts'
import { namesByKind, saveMembers } from './members/save-members.ts'
import { deleteCarriers, deleteMembers, deleteNetworkRow, insertNetwork, markLeft } from './sql/write.ts'
import { NOTHING_LINKED, loadNetworkPlan, requireNetworkWithMembers } from './require.ts'
import { saveSettings, loadSettings } from './settings.ts'
import { filterLacking } from './service.ts'
import { selectClientsLacking } from './sql/members.ts'
import type { networkApi } from '#contract/network/index.ts'
import { CIPHERS_NAME } from '#contract/network/networks.ts'
import { checkDevices, settingsOfCiphers } from '#domain/network/compile/device-settings.ts'
import { checkRevision } from '#domain/network/history/stored-settings.ts'
import { forgetNetwork, ramsWithNetwork } from '#features/ram-role/sql.ts'

/* Endpoints of networks as a whole: create, delete, rename, choose ciphers. */

type Api = typeof networkApi

export const createNetwork = (ctx: Ctx, input: Parsed<Api['create']>): Promise<Output<Api['create']>> =>
  retryOnConflict(async () => {
    const names = [...input.center, ...input.point]
    // Key of person and content, so that another plan under the same key creates another network.
    const content = JSON.stringify([requireSession(ctx).ramId, input])
    const createKey = input.idempotency_key === undefined ? null : await hmac(ctx.env.HMAC_SECRET, content)
    const { created, chosen, hub: accountHub, ...plan } = await loadNetworkPlan(ctx, names, createKey)
    if (created !== undefined) return { network_number: created }
    const { members, refused } = membersOfPlan(input, chosen)
    throwIf(refused)
    throwIf(checkMembers([], members, plan.quota, false, plan.neighbors, input.network_type))
    const number = newNumber()
    const hub = newHubName(placeOf(accountHub))
    const accountId = requireAccountId(ctx)
    const row = {
      accountId,
      number,
      name: input.network_name,
      networkType: input.network_type,
      ...(await createNetworkSecret(ctx.env.SEAL_KEYS, accountId, number)),
      hub,
      createKey,
    }
    await saveMembers(ctx, {
      ...plan,
      number,
      name: row.name,
      hub,
      linked: NOTHING_LINKED,
      isConfirmed: false,
      before: [],
      after: members,
      head: { network: insertNetwork(ctx.db, { ...row, createdAt: ctx.now }) },
      audit: {
        action: 'create',
        message: `创建组网“${input.network_name}”`,
        after: { network_name: input.network_name, ...namesByKind(members) },
      },
    })
    return { network_number: number }
  })

/** Ten random digits, not a counter: a number reveals nothing about other accounts. */
const newNumber = (): string => `${randomText('123456789', 1)}${randomText('0123456789', 9)}`

export const deleteNetwork = (ctx: Ctx, input: Parsed<Api['delete']>): Promise<void> =>
  retryOnConflict(async () => {
    const { db } = ctx
    const { network, members, accountHub, openTicket } = await requireNetworkWithMembers(ctx, input.network_number)
    const { accountId, number } = network
    const write = batch(db, {
      revision: guardRevisions(db, accountId, [network]),
      directory: guardNoDirectory(db, network),
      left: markLeft(db, { accountId, number }, members, requireSession(ctx).grants),
      ...deleteNetworkSettings(db, { accountId, number }),
      carriers: refreshCarriers(ctx, networkIdSql({ accountId, number })),
      certificates: revokeLeft(db, networkIdSql({ accountId, number }), ctx.now).leftCertificates,
      nodes: deleteCarriers(db, { accountId, number }),
      members: deleteMembers(db, { accountId, number }),
      tickets: cancelOpenTickets(db, { accountId, number }),
      network: deleteNetworkRow(db, { accountId, number }),
      sessions: renewRights(db, accountId, ramsWithNetwork(accountId, number)),
      roles: forgetNetwork(db, accountId, number, ctx.now),
      status: updateNetworkStatus(db, accountId, ctx.now),
      audit: auditRow(ctx, {
        module: 'network',
        action: 'delete',
        target: number,
        message: `删除组网“${network.name}”${openTicket === null ? '' : `，并取消接入POP工单${openTicket}`}`,
        before: { network_name: network.name, ...namesByKind(members) },
      }),
      hubs: notifyHubs(ctx, [
        { kind: 'network', hub: network.hub, op: 'remove' },
        ...refreshTasks('account', [accountHub]),
        ...refreshTasks('router', affectedRouters(members, [])),
      ]),
    })
    await detectConflict(write)
  })

export const renameNetwork = (ctx: Ctx, { network_number, network_name }: Parsed<Api['name']>): Promise<void> =>
  saveSettings(ctx, network_number, ({ network }) => {
    throwIf(checkName(network_name, { name: network.name, isPop: network.frId !== null }))
    return {
      columns: { name: network_name },
      audit: {
        action: 'name',
        message: `组网“${network.name}”改名为“${network_name}”`,
        before: { network_name: network.name },
        after: { network_name },
      },
      isAllowedSuspended: true,
    }
  })

/** Ciphers are a column of the network, so the network's revision is checked. */
export function setCiphers(ctx: Ctx, { network_number, ncp_ciphers, revision }: Parsed<Api['ciphers']>): Promise<void> {
  const needs = settingsOfCiphers(ncp_ciphers)
  return saveSettings(
    ctx,
    network_number,
    ({ network }, { clients }) => {
      throwIf(checkRevision(revision, network.revision))
      if (ncp_ciphers !== network.ciphers) throwIf(checkDevices(needs, clients))
      return {
        columns: { ciphers: ncp_ciphers },
        audit: {
          action: 'ciphers',
          message: `组网“${network.name}”的加密算法改为“${CIPHERS_NAME[ncp_ciphers]}”`,
          before: { ncp_ciphers: network.ciphers },
          after: { ncp_ciphers },
        },
      }
    },
    () => ({ clients: selectClientsLacking(ctx.db, requireSession(ctx), network_number, needs) }),
  )
}

/** Members that do not support the ciphers: hardware by the account's hub (none if it does not answer), then software. */
export async function listUnsupported(ctx: Ctx, { network_number, ncp_ciphers }: Parsed<Api['unsupported']>) {
  const needs = settingsOfCiphers(ncp_ciphers)
  const clients = selectClientsLacking(ctx.db, requireSession(ctx), network_number, needs)
  const { members, accountHub, more } = await loadSettings(ctx, network_number, { clients })
  if (needs.length === 0) return []
  const lacking = await filterLacking(ctx, accountHub, hardwareOf(members), needs)
  return [...lacking, ...more.clients].map(({ routerName, note }) => ({ router_name: routerName, note }))
}
