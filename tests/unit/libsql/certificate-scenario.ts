import { NOW, createAccount, createRouters, run } from '#tests/support/libsql.ts'

const DAY = 86_400_000

/**
 * Device in a network with a refused request and a certificate that ends in ten days, behind an earlier one that ended
 * before; one that is in no network; one with a certificate of today. Answers the account.
 */
export async function createTroubledDevice(): Promise<number> {
  const { id } = await createAccount(0)
  await run(
    `insert into authorities (account_id, name, certificate, key_sealed, expires_at, created_at)
     values (?, printf('%032d', ?), '', '', 0, 0)`,
    [id, id],
  )
  await run(
    `insert into networks (account_id, number, name, secret, hub, created_at) values (?1, ?2, 'c', '', ?2, 0)`,
    [id, `C${id}`],
  )
  const names = await createRouters(id, 3)
  for (const [n, name, endsIn] of [
    [1, 'troubled', 10],
    [2, 'alone', 10],
    [3, 'fine', 100],
  ] as const) {
    const key = names[n - 1] ?? ''
    await run('update routers set note = ? where name = ?', [name, key])
    await run(
      `insert into router_states (router_id, vpn, certificate_refusal, certificate_refused_at)
       select id, 1, ?2, ?3 from routers where name = ?1`,
      [key, name === 'fine' ? null : '签名不符', name === 'fine' ? null : NOW - 1],
    )
    for (const days of [endsIn - 5, endsIn])
      await run(
        `insert into certificates (account_id, authority_id, router_id, router_name, serial, request_hash, is_server,
           certificate, issued_at, expires_at)
         select ?1, a.id, r.id, r.name, ?3, '', 0, '', 0, ?4 from authorities a, routers r
         where a.account_id = ?1 and r.name = ?2`,
        [id, key, `${n}${days}`, NOW + days * DAY],
      )
    if (name !== 'alone')
      await run(
        `insert into network_members (account_id, network_id, router_id, member_type, host, joined_at)
         select ?1, n.id, r.id, 'point', ?3, 0 from networks n, routers r where n.account_id = ?1 and r.name = ?2`,
        [id, key, n + 1],
      )
  }
  return id
}
