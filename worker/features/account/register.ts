import type { z } from 'zod'
import type { registration } from '../../contract/account.ts'
import { violation, throwIf } from '../../contract/errors.ts'
import { refusingTaken } from '../../db/guard.ts'
import { readContact } from '../../domain/account/contact.ts'
import type { Ctx } from '../../http/context.ts'
import { hashPassword } from '../../security/password.ts'
import { auditRow } from '../audit/queries.ts'
import { checkCode, codeAnswer, tryCode, useCode } from '../verify/queries.ts'
import { USERNAME_TAKEN, accountIdNamed, insertAccount } from './queries.ts'

/**
 * The code is checked first: without one, nobody learns which names are taken. It is used up only together with the
 * account, so a taken name can be changed without asking for another code.
 */
export async function register(ctx: Ctx, input: z.output<typeof registration>): Promise<void> {
  const { db, now, env } = ctx
  const { target, columns } = readContact(input.type, input.verify)
  const key = { purpose: 'register', target, accountId: null } as const
  const [code] = await tryCode(db, key, now)
  throwIf(checkCode(code, await codeAnswer(env.HMAC_SECRET, key.purpose, input.code)))
  if (!code) return
  const { username, nickname } = input
  const password = await hashPassword(input.password)
  const accountId = accountIdNamed(username)
  await refusingTaken(
    db.batch([
      ...useCode(db, code.id, now),
      insertAccount(db, { username, nickname, password, ...columns, createdAt: now }),
      auditRow(
        ctx,
        { module: 'account', action: 'register', target: username, message: '注册账号' },
        { accountId, kind: 'main', id: accountId, name: username },
      ),
    ]),
    {
      ...USERNAME_TAKEN,
      'accounts.area_code': violation('PHONE_TAKEN', {}, 'verify'),
      'accounts.email': violation('EMAIL_TAKEN', {}, 'verify'),
    },
  )
}
