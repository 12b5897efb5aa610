import type { accountApi } from '#contract/account/index.ts'
import type { Parsed } from '#contract/kernel/endpoint.ts'
import { violation } from '#contract/kernel/result.ts'
import { auditRow } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { bumpRevisions, detectConflict, guardNetworks, retryOnConflict } from '#db/conflict.ts'
import { mapUniqueViolation } from '#db/guard.ts'
import { idList } from '#db/columns.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { refreshCarriers } from '#features/network-fr/sql/nodes.ts'
import { filterCenters } from '#domain/network/members/affected.ts'
import { type Ctx, requireAccountId } from '#http/context.ts'
import {
  renameSoftware,
  selectNetworkRevisions,
  selectSign,
  selectSoftware,
  selectSoftwareNetworkMembers,
  updateAccount,
  guardSignUnclaimed,
  keepOldSign,
} from './sql/accounts.ts'

/**
 * Changes the account's suffix (账号后缀), and with it the names of all software members. For a while they can still sign in
 * with the old suffix, and no other account may take it. Documents of centres contain the names and are compiled again.
 */
export const editSign = (ctx: Ctx, { sign }: Parsed<typeof accountApi.editSign>): Promise<void> =>
  retryOnConflict(async () => {
    const { db, now } = ctx
    const accountId = requireAccountId(ctx)
    const found = await batch(db, {
      accounts: selectSign(db, accountId),
      software: selectSoftware(db, accountId),
      networks: selectNetworkRevisions(db, accountId),
      members: selectSoftwareNetworkMembers(db, accountId),
    })
    const before = found.accounts[0]?.sign ?? null
    if (before === sign) return
    const networkIds = new Set(found.members.map((m) => m.networkId))
    const renamed = found.software.length
    const write = batch(db, {
      revisions: guardNetworks(db, accountId, found.networks),
      bumped: bumpRevisions(db, accountId, [...networkIds]), // rows that were read with the old names are read again
      unclaimed: guardSignUnclaimed(db, accountId, sign, now),
      ...keepOldSign(db, accountId, before, sign, now),
      sign: updateAccount(db, accountId, { sign }),
      software: renameSoftware(db, accountId, sign),
      audit: auditRow(ctx, {
        module: 'account',
        action: 'edit_sign',
        target: sign,
        message: renamed === 0 ? '设置账号后缀' : `修改账号后缀，${renamed}个软件成员随之改名`,
        before: { sign: before },
        after: { sign },
      }),
      carriers: refreshCarriers(ctx, idList([...networkIds])),
      hubs: notifyHubs(ctx, [
        ...refreshTasks(
          'network',
          found.networks.filter(({ id }) => networkIds.has(id)),
        ),
        ...refreshTasks('router', [...new Set(filterCenters(found.members).map(({ hub }) => hub))]),
      ]),
    })
    const taken = violation('SIGN_TAKEN')
    await detectConflict(mapUniqueViolation(write, { 'accounts.sign': taken, 'routers.name': taken }))
  })
