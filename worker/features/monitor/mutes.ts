import { MUTE_HOURS } from '#contract/monitor/alert.ts'
import type { Parsed } from '#contract/kernel/endpoint.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { coversNetwork } from '#contract/kernel/permissions.ts'
import { selectAccountHub } from '#features/account/sql/accounts.ts'
import { auditRow } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { type Ctx, requireAccountId, requireSession } from '#http/context.ts'
import { deleteMute, insertMute, selectDevices, selectMuteRows, selectMutedNetwork, selectMutedRouter } from './sql.ts'
import type { monitorApi } from '#contract/monitor/index.ts'
import { HOUR_MS } from '#contract/kernel/time.ts'

/* Mutes (静默) of alerts: listed, set and ended for a router, a network or all. */

type MuteInput = Parsed<(typeof monitorApi)['mute']>
type MuteRow = Awaited<ReturnType<typeof selectMuteRows>>[number]

const DURATION_WORD = { hour: '1小时', day: '1天', week: '1周' } as const

export const listMutes = async (ctx: Ctx): Promise<MuteRow[]> => (await readMutes(ctx)).seen

/** A role limited to networks sees only mutes of these networks and their members. */
async function readMutes(ctx: Ctx) {
  const session = requireSession(ctx)
  const { grants } = session
  const { rows, devices, accounts } = await batch(ctx.db, {
    rows: selectMuteRows(ctx.db, session, ctx.now),
    devices: grants.networks !== null && selectDevices(ctx.db, session),
    accounts: selectAccountHub(ctx.db, session.accountId),
  })
  const members = new Set(devices?.map((device) => device.router_name))
  const isSeen = ({ kind, target }: MuteRow) =>
    grants.networks === null ||
    (kind === 'network' ? coversNetwork(grants, target) : kind === 'router' && members.has(target))
  return { seen: rows.filter(isSeen), accounts }
}

export async function mute(ctx: Ctx, sent: MuteInput): Promise<void> {
  const { db, now } = ctx
  const session = requireSession(ctx)
  if (sent.kind === 'all' && session.grants.networks !== null) refuse('MONITOR_LIMITED')
  const { accounts, router, network } = await batch(db, {
    accounts: selectAccountHub(db, session.accountId),
    router: sent.kind === 'router' && selectMutedRouter(db, session, sent.router_name),
    network: sent.kind === 'network' && selectMutedNetwork(db, session, sent.network_number),
  })
  if (router?.length === 0) refuse('ROUTER_NOT_FOUND')
  if (network?.length === 0) refuse('NETWORK_NOT_FOUND')
  const [account = refuse('SESSION_REVOKED')] = accounts
  const target = sent.kind === 'router' ? sent.router_name : sent.kind === 'network' ? sent.network_number : ''
  const row = { accountId: session.accountId, kind: sent.kind, target, createdBy: session.username, createdAt: now }
  await batch(db, {
    mute: insertMute(db, { ...row, untilAt: now + MUTE_HOURS[sent.duration] * HOUR_MS }),
    audit: auditRow(ctx, {
      module: 'monitor',
      action: 'mute',
      target,
      message: `静默${target === '' ? '全部告警' : '告警'}${DURATION_WORD[sent.duration]}`,
    }),
    hubs: notifyHubs(ctx, refreshTasks('account', [account.hub])),
  })
}

export async function unmute(ctx: Ctx, { mute_id }: Parsed<(typeof monitorApi)['unmute']>): Promise<void> {
  const { seen, accounts } = await readMutes(ctx)
  const found = seen.find((row) => row.mute_id === mute_id) ?? refuse('MUTE_NOT_FOUND')
  const [account = refuse('SESSION_REVOKED')] = accounts
  await batch(ctx.db, {
    mute: deleteMute(ctx.db, requireAccountId(ctx), mute_id),
    audit: auditRow(ctx, { module: 'monitor', action: 'unmute', target: found.target, message: '取消静默' }),
    hubs: notifyHubs(ctx, refreshTasks('account', [account.hub])),
  })
}
