import { NOW, createAccount, createRouters, run } from '#tests/support/libsql.ts'

const DAY = 86_400_000

/** Software member with a profile that ends in five days, one that ends later, and a revoked one. Answers the account. */
export async function createEndingProfile(): Promise<number> {
  const { id } = await createAccount(0)
  const [name = ''] = await createRouters(id, 0, 1)
  await run(
    `insert into networks (account_id, number, name, secret, hub, created_at) values (?1, ?2, 'p', '', ?2, 0)`,
    [id, `P${id}`],
  )
  await run(
    `insert into network_members (account_id, network_id, router_id, member_type, host, joined_at)
     select ?1, n.id, r.id, 'point', 9, 0 from networks n, routers r where n.account_id = ?1 and r.name = ?2`,
    [id, name],
  )
  for (const [days, revokedAt] of [
    [5, null],
    [20, null],
    [5, 1],
  ] as const)
    await run(
      `insert into client_profiles (account_id, router_id, network_id, router_name, device_name, credential_version, issued_at,
         issued_ip, expires_at, revoked_at)
       select ?1, m.router_id, m.network_id, ?2, '手机', 0, 0, '', ?3, ?4 from network_members m where m.account_id = ?1`,
      [id, name, NOW + days * DAY, revokedAt],
    )
  return id
}
