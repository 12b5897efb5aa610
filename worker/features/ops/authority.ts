import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import type { opsApi } from '#contract/ops/index.ts'
import { batch } from '#db/batch.ts'
import { notifyHubsFrom } from '#db/hub-outbox.ts'
import { requireRow } from '#db/require-row.ts'
import { revokeProfilesOfAccount } from '#features/client/sql/profiles.ts'
import { deleteAuthority, selectTunnelRouters } from '#features/router/sql/certificates.ts'
import type { Ctx } from '#http/context.ts'
import { operatorAudit } from './audit.ts'
import { selectAccount } from './sql/accounts.ts'

type Call = (typeof opsApi)['reissueAuthority']

/**
 * Operator's end of an account's authority with all that it has signed. A restored database does not know certificates that
 * were issued or revoked after the backup, so no list could name them. The hubs make another authority with their next
 * read; until all devices of a network have its certificates, their tunnels do not come back.
 */
export async function reissueAuthority(ctx: Ctx, { account }: Parsed<Call>): Promise<Output<Call>> {
  const { db } = ctx
  const { id } = await requireRow(selectAccount(db, account), 'ACCOUNT_NOT_FOUND')
  const { certificates, hubs } = await batch(db, {
    ...deleteAuthority(db, id),
    profiles: revokeProfilesOfAccount(db, id, ctx.now),
    audit: operatorAudit(ctx, id, {
      action: 'authority/reissue',
      target: account,
      message: '运营更换证书颁发机构，设备的证书全部重新签发',
    }),
    hubs: notifyHubsFrom(ctx, selectTunnelRouters(id)),
  })
  return { certificates: certificates.length, queued: hubs.length }
}
