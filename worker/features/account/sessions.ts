import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { auditRow } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { paged } from '#db/paged.ts'
import { requireRow } from '#db/require-row.ts'
import { endOtherSessions, endSession } from '#features/login/sql/sessions.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { selectOtherSignIns, selectSignIn, selectSignIns } from './sql/sessions.ts'
import type { accountApi } from '#contract/account/index.ts'
import type { User } from '#domain/account/user.ts'
import { readDevice } from '#domain/login/origin.ts'

/* Sign-ins (登录设备) of the account: the list, and ending them. */

type Api = typeof accountApi

const nameOf = ({ username, ramDomain, ramUsername }: Pick<User, 'username' | 'ramDomain' | 'ramUsername'>): string =>
  ramUsername === null ? username : `${ramUsername}@${ramDomain}`

type SignInRow = Awaited<ReturnType<typeof selectSignIns>>[number]

/** Time and address of the last renewal; those of the sign-in before the first renewal. */
const renewalOf = ({ rotatedAt, ip, place, refreshAt, refreshIp, refreshPlace }: SignInRow) =>
  refreshAt === 0
    ? { refresh_time: rotatedAt, refresh_ip: ip, refresh_place: place }
    : { refresh_time: refreshAt, refresh_ip: refreshIp, refresh_place: refreshPlace }

export async function listSessions(ctx: Ctx, page: Parsed<Api['sessions']>) {
  const session = requireSession(ctx)
  const { data, count } = await paged(ctx.db, selectSignIns(ctx.db, session, ctx.now).$dynamic(), page)
  const rows = data.map((row): Output<Api['sessions']>[number] => {
    const { device, browser } = readDevice(row.userAgent)
    return {
      session_id: row.id,
      username: nameOf(row),
      ram: row.ramId === null ? 0 : 1,
      device,
      browser,
      ip: row.ip,
      place: row.place,
      host: row.host,
      create_time: row.createdAt,
      ...renewalOf(row),
      current: row.id === session.id ? 1 : 0,
    }
  })
  return { data: rows, count }
}

/** Ends one sign-in with its sockets. A sign-in of somebody else answers like one that does not exist. */
export async function endSignIn(ctx: Ctx, { session_id: id }: Parsed<Api['endSession']>): Promise<void> {
  const { db, now } = ctx
  const session = requireSession(ctx)
  if (id === session.id) return refuse('SIGN_IN_CURRENT')
  const found = await requireRow(selectSignIn(db, session, id, now), 'SIGN_IN_NOT_FOUND')
  const name = nameOf(found)
  await batch(db, {
    ended: endSession(db, session.accountId, id, now),
    audit: auditRow(ctx, {
      module: 'account',
      action: 'end_session',
      target: name,
      message: `退出“${name}”的登录设备`,
    }),
    hubs: notifyHubs(ctx, refreshTasks('account', [found.hub])),
  })
}

/** Ends all of the caller's own sign-ins but this one. A second call does nothing. */
export async function endOtherSignIns(ctx: Ctx): Promise<void> {
  const { db, now } = ctx
  const session = requireSession(ctx)
  const others = await selectOtherSignIns(db, session, now)
  const [first] = others
  if (!first) return
  await batch(db, {
    ended: endOtherSessions(db, session, now),
    audit: auditRow(ctx, {
      module: 'account',
      action: 'end_other_sessions',
      target: session.username,
      message: `退出其他登录设备，共${others.length}个`,
    }),
    hubs: notifyHubs(ctx, refreshTasks('account', [first.hub])),
  })
}
