import { violation } from '../../contract/errors.ts'
import { refusingTaken } from '../../db/guard.ts'
import { type Ctx, accountOf } from '../../http/context.ts'
import { tellHubs } from '../../http/hub-notices.ts'
import { auditRow } from '../audit/queries.ts'
import { isOtherSign, networksWithSoftware, renameSoftware, setSign, signChange, signOf } from './queries.ts'

/** A new suffix renames the software members there are: `name@old` signs in as `name@new` from then on. */
export async function editSign(ctx: Ctx, sign: string): Promise<void> {
  const { db } = ctx
  const accountId = accountOf(ctx)
  const [, [changed], , networks] = await refusingTaken(
    db.batch([
      auditRow(ctx, {
        module: 'account',
        action: 'edit_sign',
        target: sign,
        message: signChange(accountId),
        before: { sign: signOf(accountId) },
        after: { sign },
        when: isOtherSign(accountId, sign),
      }),
      setSign(db, accountId, sign),
      renameSoftware(db, accountId, sign),
      networksWithSoftware(db, accountId),
    ]),
    { 'accounts.sign': violation('SIGN_TAKEN'), 'routers.name': violation('SIGN_TAKEN') },
  )
  if (changed) tellHubs(ctx, { networkIds: networks.map(([networkId]) => networkId) })
}
