import { type SQL, and, eq, sql } from 'drizzle-orm'
import type { ServiceKind } from '#contract/account/services.ts'
import { accounts } from '#db/schema/accounts.ts'
import { routerStates, routers } from '#db/schema/routers.ts'
import type { HubName } from '#contract/kernel/hubs.ts'
import { batch } from '#db/batch.ts'
import { type Db, openPrimary } from '#db/client.ts'
import { isOneOf } from '#db/columns.ts'
import { siteOf } from '#domain/health/site.ts'
import type { ServiceTerm } from '#domain/monitor/conditions.ts'
import type { AlertFacts, AlertSettings, NetworkFact, RouterFact } from '#domain/monitor/state.ts'
import { type MonitorSettings, toAlertSettings, toMonitorSettings } from '#domain/monitor/settings.ts'
import { selectRecipients } from '#features/contacts/sql/contacts.ts'
import { isOfHub, selectAlertCommands, selectChosenRouters, selectMonitor, selectMutes } from '#features/monitor/sql.ts'

/* Database rows for the alerts of an account: settings, commands, service ends, and names and networks of members. */

/** Rows that the hub keeps from one read to the next. */
export interface MonitorRead {
  readonly accountId: number
  /** Host whose brand the mails carry; '' is the main one. */
  readonly host: string
  readonly settings: AlertSettings
  readonly quiet: MonitorSettings['quiet']
  /** Mail addresses of alerts, and those of escalations: alerts that nobody acknowledges. */
  readonly mails: readonly string[]
  readonly escalation: readonly string[]
  /** End of each contact's authorization, by address; null: not verified. The account's own address is not in it. */
  readonly authorizedUntil?: Readonly<Record<string, number | null>> // a hub of the release before has not stored it
  /** Type of the webhook; null if webhooks are off. */
  readonly webhook: 'dingtalk' | 'feishu' | 'wechat' | 'other' | null
  /** Time at which the webhook was set; a pause that began earlier is over. */
  readonly webhookAt: number
}

/**
 * Settings, commands, service terms that end after the given time, in order, and those of `ended` services, in one round
 * trip; null when the account is deleted.
 */
export async function readAlertRows(
  env: Env,
  hub: HubName,
  { endsAfter, ended, now }: { readonly endsAfter: number; readonly ended: readonly number[]; readonly now: number },
) {
  const db = openPrimary(env)
  const {
    account: [account],
    chosen,
    mutes,
    commands,
    services,
    known,
    recipients,
  } = await batch(db, {
    account: selectMonitor(db, isOfHub(hub)),
    chosen: selectChosenRouters(db, isOfHub(hub)),
    mutes: selectMutes(db, isOfHub(hub), now),
    commands: selectAlertCommands(db, isOfHub(hub)),
    services: selectServices(db, hub, sql`s.expire_at > ${endsAfter} order by s.expire_at limit ${SERVICES_MAX}`),
    known: selectServices(db, hub, sql`s.id in (select value from json_each(${JSON.stringify(ended)}))`),
    recipients: selectRecipients(db, isOfHub(hub)),
  })
  if (!account) return null
  const settings = toMonitorSettings(account)
  const names = chosen.map((one) => one.router_name)
  const addressesOf = (uuids: readonly string[]) =>
    recipients.filter(({ uuid }) => uuids.includes(uuid)).map(({ email }) => email)
  const others = recipients.filter(({ email }) => email !== account.email)
  const monitor: MonitorRead = {
    accountId: account.id,
    host: account.host,
    settings: toAlertSettings(settings, names, mutes),
    quiet: settings.quiet,
    mails: settings.emailConfirm
      ? [...(account.email === null ? [] : [account.email]), ...addressesOf(settings.contacts)]
      : [],
    escalation: settings.emailConfirm ? addressesOf(settings.escalation) : [],
    authorizedUntil: Object.fromEntries(others.map(({ email, expiresAt }) => [email, expiresAt])),
    webhook: settings.webhookConfirm ? account.webhookType : null,
    webhookAt: account.webhookAt ?? 0,
  }
  return { monitor, commands, services: services.map(toTerm), known: known.map(toTerm) }
}
export type AlertRows = NonNullable<Awaited<ReturnType<typeof readAlertRows>>>

const SERVICES_MAX = 200

type ServiceRow = readonly [id: number, kind: ServiceKind, name: string, expireAt: number]
const toTerm = ([id, kind, name, expireAt]: ServiceRow): ServiceTerm => ({ id, kind, name, expireAt })

const selectServices = (db: Db, hub: HubName, which: SQL) =>
  db.all<ServiceRow>(sql`
    select s.id, s.kind, s.name, s.expire_at from accounts a join services s on s.account_id = a.id
    where a.hub = ${hub} and ${which}`)

/** Names and networks of these members, and these networks with their centres and POP areas, in one round trip. */
export async function readAlertFacts(
  env: Env,
  hub: HubName,
  { names, numbers }: { readonly names: readonly string[]; readonly numbers: readonly string[] },
): Promise<AlertFacts> {
  const db = openPrimary(env)
  const { found, members, networks, nodes } = await batch(db, {
    found: db
      .select({ name: routers.name, note: routers.note, remoteHost: routerStates.remoteHost })
      .from(accounts)
      .innerJoin(routers, eq(routers.accountId, accounts.id))
      .leftJoin(routerStates, eq(routerStates.routerId, routers.id))
      .where(and(isOfHub(hub), isOneOf(routers.name, names))),
    members: db.all<[name: string, number: string, memberType: string]>(sql`
      select r.name, n.number, m.member_type
      from accounts a join routers r on r.account_id = a.id
        join network_members m on m.router_id = r.id join networks n on n.id = m.network_id
      where a.hub = ${hub} and r.name in (select value from json_each(${JSON.stringify(names)}))`),
    networks: db.all<[number: string, name: string, centers: string, points: number]>(sql`
      select n.number, n.name,
        (select json_group_array(r.name) from network_members m join routers r on r.id = m.router_id
          where m.network_id = n.id and m.member_type = 'center'),
        (select count(*) from network_members m where m.network_id = n.id and m.member_type <> 'center')
      from accounts a join networks n on n.account_id = a.id
      where a.hub = ${hub} and (n.number in (select value from json_each(${JSON.stringify(numbers)}))
        or n.id in (select m.network_id from routers r join network_members m on m.router_id = r.id
          where r.account_id = a.id and r.name in (select value from json_each(${JSON.stringify(names)}))))`),
    nodes: db.all<[number: string, node: string, area: string]>(sql`
      select n.number, r.name as node, p.name as area
      from accounts a join networks n on n.account_id = a.id join pop_members m on m.network_id = n.id
        join network_fr_areas f on f.id = m.area_id join pops p on p.id = f.pop_id join routers r on r.id = m.router_id
      where a.hub = ${hub} and n.number in (select value from json_each(${JSON.stringify(numbers)}))`),
  })
  const memberships = new Map<string, RouterFact['networks'][number][]>()
  for (const [name, number, type] of members) {
    const own = memberships.get(name) ?? []
    memberships.set(name, own)
    own.push({ number, isCenter: type === 'center' })
  }
  const toFact = ({ name, note, remoteHost }: (typeof found)[number]): [string, RouterFact] => [
    name,
    { note, site: siteOf(remoteHost), networks: memberships.get(name) ?? [] },
  ]
  const areasOf = (number: string) =>
    new Map(nodes.flatMap(([of, node, area]) => (of === number ? [[node, area]] : [])))
  const toNetwork = ([number, name, centers, points]: (typeof networks)[number]): [string, NetworkFact] => [
    number,
    { name, centers: JSON.parse(centers) as string[], points, popAreas: areasOf(number) },
  ]
  return { routers: new Map(found.map(toFact)), networks: new Map(networks.map(toNetwork)) }
}
