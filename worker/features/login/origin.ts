import type { Statements } from '#db/batch.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { signInNotice } from '#domain/account/security-notice.ts'
import { loginNameOf, type User } from '#domain/account/user.ts'
import type { HubName } from '#contract/kernel/hubs.ts'
import { type SeenOrigin, evaluateNovelty, originsOf } from '#domain/login/origin.ts'
import { personKey } from '#domain/account/person.ts'
import type { Ctx } from '#http/context.ts'
import { insertSecurityMessage, sendSecurityNotice } from '#features/account/service.ts'
import { upsertSignInOrigins } from './sql/sign-in.ts'

interface OriginCheck {
  /** Statements that are part of the sign-in's batch. */
  readonly writes: Statements
  /** Sends the mail after the commit; for a sub-account it goes to the account holder, too. */
  readonly send: () => void
}

/** Records where this person signs in from; a device or place not known yet is announced to that person. */
export function checkOrigin(
  ctx: Ctx,
  user: User & { readonly hub: HubName; readonly host: string },
  known: readonly SeenOrigin[],
): OriginCheck {
  const { db, now } = ctx
  const { accountId, ramId, hub } = user
  const person = personKey(user)
  const origins = originsOf(ctx)
  const seen = upsertSignInOrigins(db, { accountId, ramId, person, origins }, now)
  const novelty = evaluateNovelty(origins, known)
  if (novelty === null) return { writes: { seen }, send: () => {} }
  const notice = signInNotice(loginNameOf(user), novelty, ctx)
  return {
    writes: {
      seen,
      notice: insertSecurityMessage(ctx, accountId, notice, person),
      noticeHubs: notifyHubs(ctx, refreshTasks('account', [hub])),
    },
    send: () => sendSecurityNotice(ctx, notice, { host: user.host, phones: [], emails: [user.email ?? ''] }),
  }
}
