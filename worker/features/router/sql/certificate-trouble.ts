import { type SQL, and, eq, sql } from 'drizzle-orm'
import { CERTIFICATE } from '#contract/device/limits.ts'
import type { Scope } from '#contract/kernel/session.ts'
import { DAY_MS } from '#contract/kernel/time.ts'
import type { Db } from '#db/client.ts'
import { routerStates, routers } from '#db/schema/routers.ts'
import { routerScope } from '#db/scope.ts'
import type { CertificateTrouble } from '#domain/router/certificate-trouble.ts'

/* Statements of devices in networks whose certificate ends soon or whose request for one is refused. */

/** End of the newest certificate of a router. */
const endsAt = sql<number | null>`(select max(c.expires_at) from certificates c
  where c.router_id = routers.id and c.account_id = routers.account_id)`

const isInNetwork = sql`exists (select 1 from network_members m where m.router_id = routers.id)`

/** Of all devices that the caller sees, or of the named one. */
export const selectCertificateTrouble = (db: Db, scope: Scope, now: number, name?: string) =>
  db
    .select({
      routerName: routers.name,
      note: routers.note,
      refusal: routerStates.certificateRefusal,
      refusedAt: routerStates.certificateRefusedAt,
      endsAt: endsAt.as('ends_at'),
    })
    .from(routers)
    .innerJoin(routerStates, eq(routerStates.routerId, routers.id))
    .where(
      and(
        routerScope(db, scope),
        eq(routerStates.vpn, 1),
        isInNetwork,
        sql`(${routerStates.certificateRefusal} is not null or ${endsAt} <= ${now + CERTIFICATE.warnMs})`,
        name === undefined ? undefined : eq(routers.name, name),
      ),
    )

interface TroubleRow {
  readonly routerName: string
  readonly note: string
  readonly refusal: string | null
  readonly refusedAt: number | null
  readonly endsAt: number | null
}

export const toCertificateTrouble = ({ note, refusal, refusedAt, ...row }: TroubleRow): CertificateTrouble => ({
  ...row,
  label: note || row.routerName,
  refusal: refusal === null ? null : { reason: refusal, at: refusedAt ?? 0 },
})

/** Id of the message about a trouble: one for each certificate, and one a day for refusals of a device. */
const endingEvent = sql`'certificate:' || r.id || ':' || c.expires_at`
const refusalEvent = sql`'certificate-request:' || r.id || ':' || (s.certificate_refused_at / ${sql.raw(String(DAY_MS))})`
const isNew = (event: SQL) => sql`not exists (select 1 from messages where event_id = ${event})`
const isMember = sql`exists (select 1 from network_members m where m.router_id = r.id)`

/** Age of refusals that a late run still announces. */
const REFUSALS_MS = 7 * DAY_MS

/** Devices about whose certificate the account has no message yet; at most `limit` of each kind. */
export const selectUnannounced = (db: Db, now: number, limit: number) => ({
  ending: db.all<[event: string, accountId: number, name: string, note: string, endsAt: number]>(sql`
    select ${endingEvent}, r.account_id, r.name, r.note, c.expires_at from certificates c
    join routers r on r.id = c.router_id and r.account_id = c.account_id
    join router_states s on s.router_id = r.id and s.vpn = 1
    where c.expires_at > ${now} and c.expires_at <= ${now + CERTIFICATE.warnMs} and ${isMember} and ${isNew(endingEvent)}
      and not exists (select 1 from certificates n where n.router_id = r.id and n.account_id = c.account_id and n.id > c.id)
    order by c.expires_at limit ${limit}`),
  refused: db.all<[event: string, accountId: number, name: string, note: string, reason: string, at: number]>(sql`
    select ${refusalEvent}, r.account_id, r.name, r.note, s.certificate_refusal, s.certificate_refused_at
    from router_states s join routers r on r.id = s.router_id
    where s.certificate_refused_at > ${now - REFUSALS_MS} and s.vpn = 1 and ${isMember} and ${isNew(refusalEvent)}
    order by s.certificate_refused_at limit ${limit}`),
})
