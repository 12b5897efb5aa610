import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { refuse, throwIf } from '#contract/kernel/errors.ts'
import { auditRow } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { requireRow } from '#db/require-row.ts'
import { toUserInfo, checkBirthday } from '#domain/account/user.ts'
import { type Ctx, requireAccountId, requireSession } from '#http/context.ts'
import type { accountApi } from '#contract/account/index.ts'
import { updateAccount } from './sql/accounts.ts'
import { selectProfile, selectUserById } from './sql/users.ts'

/* The signed-in user as the console shows it, and the profile of the account holder. */

/** The signed-in user, also of a sub-account. */
export async function readUser(ctx: Ctx): Promise<Output<typeof accountApi.info>> {
  const { accountId, ramId } = requireSession(ctx)
  const [user] = await selectUserById(ctx.db, accountId, ramId)
  return user ? toUserInfo(user) : refuse('SESSION_REVOKED')
}

export async function readProfile(ctx: Ctx): Promise<Output<typeof accountApi.data>> {
  const row = await requireRow(selectProfile(ctx.db, requireAccountId(ctx)), 'SESSION_REVOKED')
  const { account, nickname, birthday, industry, occupation } = row
  return {
    account,
    nickname,
    birthday: birthday ?? '',
    industry: industry ?? '',
    occupation: occupation ?? '',
  }
}

/** The form sends the user name too, but it cannot be changed. */
export async function editProfile(ctx: Ctx, input: Parsed<typeof accountApi.editData>): Promise<void> {
  const { db, now } = ctx
  const accountId = requireAccountId(ctx)
  throwIf(checkBirthday(input.birthday, now))
  const { account, ...before } = await readProfile(ctx)
  if (input.account !== account) return refuse('USERNAME_FIXED')
  const { nickname, birthday, industry, occupation } = input
  const after = { nickname, birthday, industry, occupation }
  const changed = (Object.keys(after) as (keyof typeof after)[]).filter((name) => before[name] !== after[name])
  if (changed.length === 0) return
  const only = (from: Readonly<Record<string, string>>) => Object.fromEntries(changed.map((name) => [name, from[name]]))
  await batch(db, {
    profile: updateAccount(db, accountId, after),
    audit: auditRow(ctx, {
      module: 'account',
      action: 'edit_data',
      target: account,
      message: '修改个人资料',
      before: only(before),
      after: only(after),
    }),
  })
}
