import { sql } from 'drizzle-orm'
import { violation } from '#contract/kernel/result.ts'
import { DIAL_CODE_DEFAULT } from '#contract/kernel/limits.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import type { Db } from '#db/client.ts'
import { guard } from '#db/guard.ts'
import type { FileMember } from '#domain/router/batch.ts'

/** Taken names among these user names, under the account's suffix; as they were typed. */
export const selectUsernamesTaken = (db: Db, accountId: number, usernames: readonly string[]) =>
  db.all<[string]>(sql`
    select typed.value from json_each(${JSON.stringify([...new Set(usernames)])}) typed
    join accounts on accounts.id = ${accountId}
    join routers on routers.name = typed.value || '@' || accounts.sign`)

interface Phone {
  readonly areaCode: string
  readonly phone: string
}

const phoneList = (phones: readonly Phone[]) =>
  JSON.stringify(phones.map(({ areaCode, phone }) => ({ areaCode: areaCode || DIAL_CODE_DEFAULT, phone })))

/** Phones among these that members of the account have. */
export const selectPhonesTaken = (db: Db, accountId: number, phones: readonly Phone[]) =>
  db.all<[string, string]>(sql`
    select distinct r.area_code, r.phone from json_each(${phoneList(phones.filter(({ phone }) => phone !== ''))}) p
    join routers r on r.account_id = ${accountId} and r.area_code = p.value ->> 'areaCode' and r.phone = p.value ->> 'phone'`)

/** Stands before the insert: no other member got one of these phones meanwhile. */
export const guardPhonesFree = (db: Db, accountId: number, phones: readonly Phone[]) =>
  guard(
    db,
    sql`not exists (select 1 from json_each(${phoneList(phones)}) p join routers r on r.account_id = ${accountId}
      and r.area_code = p.value ->> 'areaCode' and r.phone = p.value ->> 'phone')`,
    violation('MEMBERS_CHANGED'),
  )

type SealedMember = FileMember & { readonly hub: string; readonly sealed: string }

/** The empty hash fits no password: the sealed one counts until it is hashed. */
export const insertSoftware = (db: Db, accountId: number, members: readonly SealedMember[], now: number) =>
  db.run(sql`
    insert into routers
      (account_id, name, router_type, note, password, password_sealed, area_code, phone, source, hub, created_at)
    select ${accountId}, value ->> 'name', ${ROUTER_TYPE.software}, value ->> 'note', '', value ->> 'sealed',
      value ->> 'areaCode', nullif(value ->> 'phone', ''), 'batch', value ->> 'hub', ${now}
    from json_each(${JSON.stringify(
      members.map(({ name, note, sealed, areaCode, phone, hub }) => ({ name, note, sealed, areaCode, phone, hub })),
    )}) order by key`)

/** Names as they were typed: one without a suffix has the account's. For `isRouterNamed`. */
export const withSuffix = (accountId: number, names: readonly string[]) =>
  sql`(select case when instr(value, '@') > 0 then value
    else value || '@' || (select sign from accounts where id = ${accountId}) end
    from json_each(${JSON.stringify(names)}))`
