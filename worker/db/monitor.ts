import { type SQL, and, eq, gt, sql } from 'drizzle-orm'
import type { HubName } from '#contract/kernel/hubs.ts'
import { as } from './columns.ts'
import type { Db } from './client.ts'
import { accounts } from './schema/accounts.ts'
import { routers } from './schema/routers.ts'
import { alertCommands, monitorMutes, monitorRouters, monitorSettings, webhooks } from './schema/monitor.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'

/** An account with its settings of monitoring; without a row of them they are null. */
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

/** Names of the chosen members. */
export const selectChosenRouters = (db: Db, isAccount: SQL) =>
  db
    .select({ router_name: as(routers.name, 'router_name'), note: routers.note })
    .from(monitorRouters)
    .innerJoin(accounts, eq(accounts.id, monitorRouters.accountId))
    .innerJoin(routers, and(eq(routers.id, monitorRouters.routerId), eq(routers.accountId, accounts.id)))
    .where(isAccount)
    .orderBy(routers.id)

/** What is muted now. */
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
export const isHardware = eq(routers.routerType, ROUTER_TYPE.hardware)
