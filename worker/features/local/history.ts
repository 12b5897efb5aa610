import * as z from 'zod'
import { alertHistory, clientHistory, routerHistory } from '#contract/local/history.ts'
import { time } from '#contract/kernel/fields.ts'
import { refuse } from '#contract/kernel/errors.ts'
import type { AlertHistory } from '#contract/local/history.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { type AuditActor, auditRow } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { mapLimit } from '#db/concurrency.ts'
import type { Ctx } from '#http/context.ts'
import { backdate, releaseAnnouncement, selectAccounts, selectMembers, selectRams, settleClients } from './sql.ts'

/* Import of a past into a local run: presence, links, traffic and dials of devices, then alerts and what people did. */

/** Hubs that import at the same time. */
const CONCURRENCY = 4

export const routersInput = z.object({ account: z.string(), routers: z.record(z.string(), routerHistory) })

/** Answers the names of the devices that have a history now. */
export async function importRouters(ctx: Ctx, { account, routers }: z.output<typeof routersInput>): Promise<string[]> {
  const { members, accounts } = await batch(ctx.db, {
    members: selectMembers(ctx.db, account),
    accounts: selectAccounts(ctx.db, account),
  })
  const [[accountId] = refuse('ACCOUNT_NOT_FOUND')] = accounts
  const found = members.flatMap(([name, hub]) => {
    const history = routers[name]
    return history ? [{ name, hub, history }] : []
  })
  const results = await mapLimit(found, CONCURRENCY, ({ hub, history }) => ctx.hubs.router(hub).importHistory(history))
  for (const result of results) if (result.status === 'rejected') throw result.reason
  await settleClients(ctx.db, accountId)
  return found.map(({ name }) => name)
}

export const accountInput = z.object({
  account: z.string(),
  setup_ms: z.int().nonnegative(),
  tickets_ms: z.int().nonnegative(),
  alerts: alertHistory,
  clients: clientHistory,
  /** Release times of announcements, which no account owns, by title. */
  announcements: z.record(z.string(), time).default({}),
})

/** The rows of the account become older first, so that the messages of its alerts keep their times. */
export async function importAccount(ctx: Ctx, input: z.output<typeof accountInput>): Promise<void> {
  const { db } = ctx
  const { account, setup_ms: setupMs, tickets_ms: ticketsMs, alerts, clients } = input
  const { accounts, members } = await batch(db, {
    accounts: selectAccounts(db, account),
    members: selectMembers(db, account),
  })
  const [[accountId, accountHub] = refuse('ACCOUNT_NOT_FOUND')] = accounts
  const { rams } = await batch(db, {
    ...backdate(db, accountId, { now: ctx.now, setupMs, ticketsMs }),
    rams: selectRams(db, accountId),
  })
  const hardware = members.filter(([, , type]) => type === ROUTER_TYPE.hardware)
  const acknowledged = await ctx.hubs.account(accountHub).importHistory({
    alerts,
    routers: Object.fromEntries(
      hardware.map(([name, hub, , networks]) => [hub, { name, seenIn: JSON.parse(networks) as string[] }]),
    ),
    clients: Object.fromEntries(
      members.flatMap(([name, hub]) => (clients[name] ? [[hub, clients[name]] as const] : [])),
    ),
  })
  const toActor = (name: string): AuditActor => {
    const ram = rams.find(([, username]) => name === `${username}@${account}`)
    return ram ? { accountId, kind: 'ram', id: ram[0], name } : { accountId, kind: 'main', id: accountId, name }
  }
  const rows = [
    ...(acknowledged ?? []).map(({ alertId, by, at }) =>
      auditRow({ ...ctx, now: at }, { ...ACKNOWLEDGED, target: alertId }, toActor(by)),
    ),
    ...alerts.mutes.map((mute) => auditRow({ ...ctx, now: mute.from }, toMuteEntry(mute), toActor(mute.by))),
  ]
  const releases = Object.entries(input.announcements).map(([title, at]) => releaseAnnouncement(db, title, at))
  await batch(db, Object.fromEntries([...rows, ...releases].map((row, i) => [`row ${i}`, row])))
}

const ACKNOWLEDGED = { module: 'monitor', action: 'acknowledge', message: '确认告警' }
const toMuteEntry = ({ router_name: target }: AlertHistory['mutes'][number]) => ({
  module: 'monitor',
  action: 'mute',
  target,
  message: '静默告警1小时',
})
