import { NOW, createAccount, createRouters, run } from '#tests/support/libsql.ts'

const DAY = 86_400_000

/** Profiles of a software member: two that end in five days, one of them revoked, and one that ends later. Answers the account. */
export async function createEndingProfiles(): Promise<number> {
  const { id } = await createAccount(0)
  await run(
    `insert into networks (account_id, number, name, secret, hub, created_at) values (?1, ?2, 'p', '', ?2, 0)`,
    [id, `P${id}`],
  )
  const [name = ''] = await createRouters(id, 0, 1)
  await run(
    `insert into network_members (account_id, network_id, router_id, member_type, host, joined_at)
     select ?1, n.id, r.id, 'point', 2, 0 from networks n, routers r where n.account_id = ?1 and r.name = ?2`,
    [id, name],
  )
  for (const [deviceName, endsIn, revokedAt] of [
    ['手机', 5, null],
    ['旧手机', 5, NOW - DAY],
    ['电脑', 25, null],
  ] as const)
    await run(
      `insert into client_profiles (account_id, router_id, network_id, router_name, device_name, credential_version,
         issued_at, issued_ip, expires_at, revoked_at)
       select ?1, r.id, n.id, r.name, ?3, r.credential_version, 0, '', ?4, ?5
       from networks n, routers r where n.account_id = ?1 and r.name = ?2`,
      [id, name, deviceName, NOW + endsIn * DAY, revokedAt],
    )
  return id
}
