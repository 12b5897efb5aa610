import { LOGIN_GUARD } from '../../contract/limits.ts'
import { violation, refuse, throwIf } from '../../contract/errors.ts'
import { guard } from '../../db/guard.ts'
import { checkAttempts } from '../../domain/login/guard.ts'
import { type Ctx, sessionOf } from '../../http/context.ts'
import { checkHashing, hashPassword, isPassword } from '../../security/password.ts'
import { auditRow } from '../audit/queries.ts'
import { countAttempt, endSessionsOf, forgetAttempts, isStillGood } from '../login/queries.ts'
import { ramPasswordOf, setRamPassword } from './queries.ts'

/** A sub-account's own password. All its sessions end, this one too: it signs in again with the new one. */
export async function changeRamPassword(ctx: Ctx, oldPassword: string, password: string): Promise<void> {
  const { db, now } = ctx
  const { accountId, ramId, username } = sessionOf(ctx)
  if (ramId === null) return refuse('PERMISSION_DENIED')
  throwIf(checkHashing())
  const key = `password:ram:${ramId}`
  const [[row], [attempts]] = await db.batch([
    ramPasswordOf(db, accountId, ramId),
    countAttempt(db, key, LOGIN_GUARD.pauseMinutes * 60_000, now),
  ])
  if (!row || !attempts) return refuse('SESSION_REVOKED')
  throwIf(checkAttempts(attempts, [0, 0], now))
  if (!(await isPassword(oldPassword, row.password))) refuse('OLD_PASSWORD_WRONG')
  const [, , ended] = await db.batch([
    guard(db, isStillGood({ accountId, ramId, password: row.password }), violation('OLD_PASSWORD_WRONG')),
    setRamPassword(db, accountId, ramId, await hashPassword(password)),
    endSessionsOf(db, { accountId, ramId }, now),
    forgetAttempts(db, key),
    auditRow(ctx, { module: 'ram', action: 'password', target: username, message: '修改登录密码' }),
  ])
  ctx.waitUntil(ctx.hubs.account(accountId).endSessions(ended.map(({ id }) => id)))
}
