import { sql } from 'drizzle-orm'
import type { HubName } from '#contract/kernel/hubs.ts'
import type { Db } from '#db/client.ts'

/* Statements that store the health of a network for the order and the filters of lists. */

/** Health of a network as lists need it: its severity, and the names of its members in 单中心 (single centre). */
export interface StoredHealth {
  readonly severity: number
  readonly singleCenter: readonly string[]
}

/** Writes only the rows that differ. */
export function updateStoredHealth(db: Db, accountId: number, hub: HubName, { severity, singleCenter }: StoredHealth) {
  const isSingle = sql`(router_id in (
    select id from routers where name in (select value from json_each(${JSON.stringify(singleCenter)}))))`
  return {
    network: db.run(sql`
      update networks set severity = ${severity} where account_id = ${accountId} and hub = ${hub} and severity <> ${severity}`),
    members: db.run(sql`
      update network_members set single_center = ${isSingle}
      where account_id = ${accountId} and single_center <> ${isSingle}
        and network_id = (select id from networks where account_id = ${accountId} and hub = ${hub})`),
  }
}
