import { type SQL, and, asc, desc, eq, gt, not, sql } from 'drizzle-orm'
import type { HubName } from '#contract/kernel/hubs.ts'
import type { Scope } from '#contract/kernel/session.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { as, isOneOf } from '#db/columns.ts'
import type { Db } from '#db/client.ts'
import { accounts } from '#db/schema/accounts.ts'
import { routers } from '#db/schema/routers.ts'
import { alertCommands, monitorMutes, monitorRouters, monitorSettings, webhooks } from '#db/schema/monitor.ts'
import { networks } from '#db/schema/networks.ts'
import { isPopNode, networkScope, routerScope } from '#db/scope.ts'
import type { MonitorSettings } from '#domain/monitor/settings.ts'

/* Statements on monitoring: settings, chosen devices, mutes, and commands to the account's hub. */

export const isAccount = ({ accountId }: Scope): SQL => eq(accounts.id, accountId)

/** Account with its settings of monitoring; they are null if it has no row of them. */
export const selectMonitor = (db: Db, isAccount: SQL) =>
  db
    .select({
      id: as(accounts.id, 'owner_id'),
      hub: accounts.hub,
      email: accounts.email,
      host: accounts.host,
      enabled: monitorSettings.enabled,
      emailConfirm: monitorSettings.emailConfirm,
      webhookConfirm: monitorSettings.webhookConfirm,
      allRouters: monitorSettings.allRouters,
      rules: monitorSettings.rules,
      quietOn: monitorSettings.quietOn,
      quietStart: monitorSettings.quietStart,
      quietEnd: monitorSettings.quietEnd,
      contacts: monitorSettings.contacts,
      escalation: monitorSettings.escalation,
      webhookType: as(webhooks.type, 'webhook_type'),
      webhookAt: as(webhooks.updatedAt, 'webhook_at'),
    })
    .from(accounts)
    .leftJoin(monitorSettings, eq(monitorSettings.accountId, accounts.id))
    .leftJoin(webhooks, eq(webhooks.accountId, accounts.id))
    .where(isAccount)

export const selectChosenRouters = (db: Db, isAccount: SQL) =>
  db
    .select({ router_name: as(routers.name, 'router_name'), note: routers.note })
    .from(monitorRouters)
    .innerJoin(accounts, eq(accounts.id, monitorRouters.accountId))
    .innerJoin(routers, and(eq(routers.id, monitorRouters.routerId), eq(routers.accountId, accounts.id)))
    .where(isAccount)
    .orderBy(routers.id)

export const selectMutes = (db: Db, isAccount: SQL, now: number) =>
  db
    .select({ kind: monitorMutes.kind, target: monitorMutes.target, until: as(monitorMutes.untilAt, 'until') })
    .from(monitorMutes)
    .innerJoin(accounts, eq(accounts.id, monitorMutes.accountId))
    .where(and(isAccount, gt(monitorMutes.untilAt, now)))

export const selectAlertCommands = (db: Db, isAccount: SQL) =>
  db
    .select({
      id: alertCommands.id,
      kind: alertCommands.kind,
      target: alertCommands.target,
      actor: alertCommands.actor,
      at: alertCommands.at,
    })
    .from(alertCommands)
    .innerJoin(accounts, eq(accounts.id, alertCommands.accountId))
    .where(isAccount)
    .orderBy(alertCommands.at)

export const deleteAlertCommands = (db: Db, accountId: number, ids: readonly string[]) =>
  db.run(sql`
    delete from alert_commands
    where account_id = ${accountId} and id in (select value from json_each(${JSON.stringify(ids)}))`)

export const isOfHub = (hub: HubName): SQL => eq(accounts.hub, hub)
const isHardware = eq(routers.routerType, ROUTER_TYPE.hardware)

/** Devices that can be monitored. Software members are left out, because they dial at will. */
export const selectDevices = (db: Db, scope: Scope) =>
  db
    .select({ router_name: as(routers.name, 'router_name'), note: routers.note })
    .from(routers)
    .where(and(routerScope(db, scope), isHardware, not(isPopNode)))
    .orderBy(asc(routers.id))

export function saveSettings(db: Db, accountId: number, settings: MonitorSettings, now: number) {
  const { enabled, emailConfirm, webhookConfirm, allRouters, rules, quiet, contacts, escalation } = settings
  const row = {
    enabled: Number(enabled),
    emailConfirm: Number(emailConfirm),
    webhookConfirm: Number(webhookConfirm),
    allRouters: Number(allRouters),
    rules: JSON.stringify(rules),
    quietOn: Number(quiet.on),
    quietStart: quiet.start,
    quietEnd: quiet.end,
    contacts: JSON.stringify(contacts),
    escalation: JSON.stringify(escalation),
    updatedAt: now,
  }
  return db
    .insert(monitorSettings)
    .values({ accountId, ...row })
    .onConflictDoUpdate({ target: monitorSettings.accountId, set: row })
}

export const saveRouterSelection = (db: Db, accountId: number, names: readonly string[]) => ({
  dropped: db.delete(monitorRouters).where(eq(monitorRouters.accountId, accountId)),
  chosen: db.run(sql`
    insert into monitor_routers (account_id, router_id)
    select account_id, id from routers
    where account_id = ${accountId} and name in (select value from json_each(${JSON.stringify(names)}))`),
})

export const selectMuteRows = (db: Db, { accountId }: Scope, now: number) =>
  db
    .select({
      mute_id: as(monitorMutes.id, 'mute_id'),
      kind: monitorMutes.kind,
      target: monitorMutes.target,
      label: sql<string>`coalesce(case ${monitorMutes.kind}
        when 'router' then (select coalesce(nullif(note, ''), name) from routers where account_id = ${accountId} and name = ${monitorMutes.target})
        when 'network' then (select name from networks where account_id = ${accountId} and number = ${monitorMutes.target}) end,
        ${monitorMutes.target})`.as('label'),
      until: as(monitorMutes.untilAt, 'until'),
      create_by: as(monitorMutes.createdBy, 'create_by'),
    })
    .from(monitorMutes)
    .where(and(eq(monitorMutes.accountId, accountId), gt(monitorMutes.untilAt, now)))
    .orderBy(desc(monitorMutes.id))

export const selectMutedRouter = (db: Db, scope: Scope, name: string) =>
  db
    .select({ name: routers.name })
    .from(routers)
    .where(and(routerScope(db, scope), eq(routers.name, name)))
export const selectMutedNetwork = (db: Db, scope: Scope, number: string) =>
  db
    .select({ number: networks.number })
    .from(networks)
    .where(and(networkScope(scope), isOneOf(networks.number, [number])))

/** Stores one mute for each target; a later one replaces an earlier one. */
export const insertMute = (db: Db, row: typeof monitorMutes.$inferInsert) =>
  db
    .insert(monitorMutes)
    .values(row)
    .onConflictDoUpdate({
      target: [monitorMutes.accountId, monitorMutes.kind, monitorMutes.target],
      set: { untilAt: row.untilAt, createdBy: row.createdBy, createdAt: row.createdAt },
    })

export const deleteMute = (db: Db, accountId: number, id: number) =>
  db.delete(monitorMutes).where(and(eq(monitorMutes.accountId, accountId), eq(monitorMutes.id, id)))

export const insertCommand = (db: Db, row: typeof alertCommands.$inferInsert) => db.insert(alertCommands).values(row)
