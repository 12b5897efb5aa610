import { and, eq, gt, inArray, lt, lte, sql } from 'drizzle-orm'
import { HEALTH } from '#contract/kernel/hub-limits.ts'
import { isAllowed } from '#contract/kernel/permissions.ts'
import { violation } from '#contract/kernel/result.ts'
import type { Scope, Session } from '#contract/kernel/session.ts'
import { DAY_MS } from '#contract/kernel/time.ts'
import { SERVICE_TICKET } from '#contract/ticket/index.ts'
import type { Db } from '#db/client.ts'
import { as } from '#db/columns.ts'
import { guard } from '#db/guard.ts'
import { HANDLED_MS } from '#domain/health/handling.ts'
import { memberSettingSql, selectNetworkSegments } from '#features/network/sql/settings.ts'
import { usageColumns } from '#db/quota.ts'
import { selectCertificateTrouble } from '#features/router/sql/certificate-trouble.ts'
import { segmentList, stateColumns } from '#features/router/sql/columns.ts'
import { selectExpiredContacts } from '#features/contacts/sql/contacts.ts'
import { selectNewestRun } from '#features/ldap/sql/config.ts'
import { selectEndingDevices } from '#features/saas/sql.ts'
import { openTicketSql, selectAnsweredTickets } from '#features/ticket/sql/tickets.ts'
import { accounts, dismissedSteps, services } from '#db/schema/accounts.ts'
import { routerStates, routers } from '#db/schema/routers.ts'
import { attentionHandlers, monitorSettings } from '#db/schema/monitor.ts'
import { networkMembers, networks } from '#db/schema/networks.ts'
import { networkFrAreas, networkFrs, popMembers, pops } from '#db/schema/pop.ts'
import { networkScope, routerScope } from '#db/scope.ts'

/* Statements of the overview page: all rows that it shows, and the first steps that the account has hidden. */

export const selectOverview = (db: Db, scope: Session, now: number) => ({
  accounts: selectAccount(db, scope, now),
  networks: selectNetworks(db, scope),
  members: selectMembers(db, scope),
  routers: selectRouters(db, scope),
  held: selectNetworkSegments(db, scope.accountId),
  services: selectServices(db, scope.accountId, now),
  ended: isAllowed('session:all', scope.grants) && selectEndedServices(db, scope.accountId, now),
  areas: selectAreas(db, scope.accountId),
  handlers: selectHandlers(db, scope.accountId, now),
  runs: isAllowed('main', scope.grants) && selectNewestRun(db, scope.accountId),
  contacts: seesChannels(scope) && selectExpiredContacts(db, scope.accountId, now),
  saas: selectEndingDevices(db, scope, now + HEALTH.serviceDays * DAY_MS),
  certificates: selectCertificateTrouble(db, scope, now),
  tickets: selectAnsweredTickets(db, scope),
})

/** Contacts and alert channels are of the whole account. */
export const seesChannels = ({ grants }: Scope): boolean =>
  isAllowed('monitor:view', grants) && isAllowed('session:all', grants)

const selectAccount = (db: Db, session: Session, now: number) => {
  const { accountId } = session
  return db
    .select({
      hub: as(accounts.hub, 'account_hub'),
      alerts: sql<number>`coalesce(${monitorSettings.enabled}, 0)`.as('alerts'),
      dismissedSteps:
        sql<string>`(select json_group_array(step) from dismissed_steps where account_id = ${accountId})`.as(
          'dismissed_steps',
        ),
      serviceRequest: openTicketSql(session, SERVICE_TICKET).as('service_request'),
      ...usageColumns(accountId, now),
    })
    .from(accounts)
    .leftJoin(monitorSettings, eq(monitorSettings.accountId, accounts.id))
    .where(eq(accounts.id, accountId))
}

/** Networks of the whole account, because segments of different roles may overlap; `isVisible`: in the role. */
const selectNetworks = (db: Db, scope: Scope) =>
  db
    .select({
      id: networks.id,
      number: networks.number,
      name: as(networks.name, 'network_name'),
      status: as(networks.status, 'network_status'),
      suspendedAt: networks.suspendedAt,
      withdrawn: networks.withdrawn,
      revision: networks.revision,
      hub: as(networks.hub, 'network_hub'),
      isVisible: sql<number>`(${networkScope(scope)})`.as('is_visible'),
      popName: sql<string | null>`${networkFrs.name}`.as('pop_name'),
      popExpireAt: networkFrs.expireAt,
      popLapsed: networkFrs.lapsed,
    })
    .from(networks)
    .leftJoin(networkFrs, and(eq(networkFrs.id, networks.frId), eq(networkFrs.accountId, networks.accountId)))
    .where(eq(networks.accountId, scope.accountId))
    .orderBy(networks.id)

const selectMembers = (db: Db, { accountId }: Scope) =>
  db
    .select({
      networkId: networkMembers.networkId,
      routerId: networkMembers.routerId,
      memberType: networkMembers.memberType,
      singleCenter: networkMembers.singleCenter,
      segmentIndex: networkMembers.segmentIndex,
      gateway: memberSettingSql('gateway', sql`network_members.network_id`, sql`network_members.router_id`).as(
        'gateway',
      ),
    })
    .from(networkMembers)
    .where(eq(networkMembers.accountId, accountId))

const selectRouters = (db: Db, scope: Scope) =>
  db
    .select({
      id: routers.id,
      hub: routers.hub,
      name: routers.name,
      routerType: routers.routerType,
      note: routers.note,
      createdAt: routers.createdAt,
      segments: segmentList.as('segments'),
      staticRoutes: routers.staticRoutes,
      isVisible: sql<number>`(${routerScope(db, scope)})`.as('is_visible'),
      remoteHost: routerStates.remoteHost,
      state: stateColumns,
    })
    .from(routers)
    .leftJoin(routerStates, eq(routerStates.routerId, routers.id))
    .where(eq(routers.accountId, scope.accountId))

/** Areas of the POP nodes that carry the networks: customers know no nodes. */
const selectAreas = (db: Db, accountId: number) =>
  db
    .select({ networkId: popMembers.networkId, node: as(routers.name, 'node'), area: as(pops.name, 'area') })
    .from(popMembers)
    .innerJoin(networks, eq(networks.id, popMembers.networkId))
    .innerJoin(networkFrAreas, eq(networkFrAreas.id, popMembers.areaId))
    .innerJoin(pops, eq(pops.id, networkFrAreas.popId))
    .innerJoin(routers, eq(routers.id, popMembers.routerId))
    .where(eq(networks.accountId, accountId))

const selectServices = (db: Db, accountId: number, now: number) =>
  db
    .select({ name: services.name, expireAt: services.expireAt })
    .from(services)
    .where(and(eq(services.accountId, accountId), gt(services.expireAt, now)))
    .orderBy(services.expireAt)

/** Services that are over without another of their kind; after a month the customer has decided. */
const selectEndedServices = (db: Db, accountId: number, now: number) =>
  db
    .select({ name: services.name, expireAt: services.expireAt })
    .from(services)
    .where(
      and(
        eq(services.accountId, accountId),
        lte(services.expireAt, now),
        gt(services.expireAt, now - HEALTH.serviceDays * DAY_MS),
        sql`not exists (select 1 from services other where other.account_id = ${accountId}
          and other.kind = services.kind and other.expire_at > services.expire_at)`,
      ),
    )
    .orderBy(services.expireAt)

const selectHandlers = (db: Db, accountId: number, now: number) =>
  db
    .select({
      trouble: attentionHandlers.trouble,
      name: as(attentionHandlers.name, 'handler'),
      at: attentionHandlers.at,
    })
    .from(attentionHandlers)
    .where(and(eq(attentionHandlers.accountId, accountId), gt(attentionHandlers.at, now - HANDLED_MS)))

type HandlerRow = Omit<typeof attentionHandlers.$inferInsert, 'id'>

/** Names the person who handles a row; of two at once, the first. `since`: an earlier handler had another trouble. */
export const insertHandler = (db: Db, { since, ...row }: HandlerRow & { readonly since: number | null }) => ({
  over: db
    .delete(attentionHandlers)
    .where(
      and(
        eq(attentionHandlers.accountId, row.accountId),
        eq(attentionHandlers.trouble, row.trouble),
        lt(attentionHandlers.at, Math.max(row.at - HANDLED_MS + 1, since ?? 0)),
      ),
    ),
  isFree: guard(
    db,
    sql`not exists (select 1 from attention_handlers
      where account_id = ${row.accountId} and trouble = ${row.trouble})`,
    violation('ATTENTION_HANDLED'),
  ),
  handler: db.insert(attentionHandlers).values(row),
})

export const insertDismissedSteps = (db: Db, accountId: number, steps: readonly string[], now: number) =>
  db
    .insert(dismissedSteps)
    .values(steps.map((step) => ({ accountId, step, dismissedAt: now })))
    .onConflictDoNothing()

export const deleteDismissedSteps = (db: Db, accountId: number, steps: readonly string[]) =>
  db
    .delete(dismissedSteps)
    .where(and(eq(dismissedSteps.accountId, accountId), inArray(dismissedSteps.step, [...steps])))
