import { violation } from '../../contract/errors.ts'
import { guard, refusingTaken } from '../../db/guard.ts'
import { type Ctx, accountOf } from '../../http/context.ts'
import { auditRow } from '../audit/queries.ts'
import { isSign, networksWithSoftware, renameSoftware, setSign, softwareCount } from './queries.ts'

/** A new suffix renames the software members there are: `name@old` signs in as `name@new` from then on. */
export async function editSign(ctx: Ctx, sign: string): Promise<void> {
  const { db, hubs } = ctx
  const accountId = accountOf(ctx)
  const [before] = await softwareCount(db, accountId)
  const old = before?.sign ?? null
  if (old === sign) return
  const renamed = before?.members ?? 0
  const message = renamed > 0 ? `修改账号后缀，${renamed}个软件成员随之改名` : '设置账号后缀'
  const [, , , networks] = await refusingTaken(
    db.batch([
      guard(db, isSign(accountId, old), violation('SIGN_CHANGED')),
      setSign(db, accountId, sign),
      renameSoftware(db, accountId, sign),
      networksWithSoftware(db, accountId),
      auditRow(ctx, {
        module: 'account',
        action: 'edit_sign',
        target: sign,
        message,
        before: { sign: old },
        after: { sign },
      }),
    ]),
    { 'accounts.sign': violation('SIGN_TAKEN'), 'routers.name': violation('SIGN_TAKEN') },
  )
  for (const [networkId] of networks) ctx.later(hubs.network(networkId).refresh())
}
