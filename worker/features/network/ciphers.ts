import type { Parsed } from '../../contract/endpoint.ts'
import { refuse } from '../../contract/errors.ts'
import { CIPHERS_NAME, type networkApi } from '../../contract/network.ts'
import { auditRow } from '../../db/audit.ts'
import { batch } from '../../db/batch.ts'
import { detectConflict, retryOnConflict } from '../../db/conflict.ts'
import { notifyHubs, refreshTasks } from '../../db/hub-outbox.ts'
import { hardwareOf } from '../../domain/network/affected.ts'
import { isSuspended } from '../../domain/network/membership.ts'
import type { Ctx } from '../../http/context.ts'
import { bumpRevision } from './change.ts'
import { requireNetworkWithMembers } from './require.ts'

/** Moves the document of every hardware member: the ends of a tunnel must agree. */
export const editCiphers = (ctx: Ctx, input: Parsed<typeof networkApi.ciphers>): Promise<void> =>
  retryOnConflict(async () => {
    const { network, members } = await requireNetworkWithMembers(ctx, input.network_number)
    if (isSuspended(network)) refuse('NETWORK_SUSPENDED')
    const { ncp_ciphers: ciphers } = input
    if (ciphers === network.ciphers) return
    const hubs = hardwareOf(members).map(({ hub }) => hub)
    const write = batch(ctx.db, {
      ...bumpRevision(ctx, network, { ciphers }),
      audit: auditRow(ctx, {
        module: 'network',
        action: 'ciphers',
        target: network.number,
        message: `组网“${network.name}”的加密算法改为“${CIPHERS_NAME[ciphers]}”`,
        before: { ncp_ciphers: network.ciphers },
        after: { ncp_ciphers: ciphers },
      }),
      hubs: notifyHubs(ctx, [...refreshTasks('network', [network.hub]), ...refreshTasks('router', hubs)]),
    })
    await detectConflict(write)
  })
