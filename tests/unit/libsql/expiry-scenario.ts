import { removeExpired } from '#jobs/expiry.ts'
import { NOW, createAccount, run } from '#tests/support/libsql.ts'
import { texts } from './row-texts.ts'

const DAY = 86_400_000

/** Old rows of every kind that is kept for so many days, with one that is still kept beside each. */
async function insertRecords(id: number) {
  await run(
    `insert into authorities (account_id, name, certificate, key_sealed, expires_at, created_at)
     values (?, printf('%032d', ?), '', '', 0, 0)`,
    [id, id],
  )
  await run(
    `insert into networks (account_id, number, name, secret, hub, created_at) values (?1, ?2, 'e', '', ?2, 0)`,
    [id, `E${id}`],
  )
  for (const [n, days] of [
    [1, 201],
    [2, 150],
  ] as const) {
    const at = NOW - days * DAY
    const log = `insert into audit_logs (account_id, actor_kind, actor_name, module, action, target, message, ip, request_id, at)
      values (?, 'main', 'a', 'm', 'a', '${days}', '', '', '', ?)`
    await run(log, [id, at])
    await run(
      `insert into connection_logs (account_id, router_name, epoch, online, remote_ip, remote_port, version, at)
       values (?, 'NL${id}', ${n}, 1, '', 0, '${days}', ?)`,
      [id, at],
    )
    await run(`insert into software_login_logs (account_id, router_name, ok, ip, at) values (?, '${days}', 1, '', ?)`, [
      id,
      at,
    ])
    await run(
      `insert into dial_logs (account_id, key, mode, network_number, router_name, link_router_name, start_at, end_at)
       values (?, 'k${n}', 'p2p', 'N', '${days}', 'NL', ?, ?)`,
      [id, at, at],
    )
    await run(
      `insert into certificates (account_id, authority_id, router_name, serial, request_hash, is_server, certificate,
         issued_at, expires_at)
       select ?1, id, '${days}', '0${n}', '', 0, '', 0, ?2 from authorities where account_id = ?1`,
      [id, at + 160 * DAY],
    )
    await run(
      `insert into revocations (account_id, network_id, serial, revoked_at, expires_at)
       select ?1, id, '${days}', 0, ?2 from networks where account_id = ?1`,
      [id, at + 180 * DAY],
    )
    await run(
      `insert into messages (account_id, event_id, type, title, content, created_at) values (?, ?, '系统', '${days - 20}', '', ?)`,
      [id, `job:${id}:${n}`, at + 20 * DAY],
    )
  }
}
const recordsOf = (id: number) =>
  texts(
    `select 'audit', target from audit_logs where account_id = ?1
     union all select 'connection', version from connection_logs where account_id = ?1
     union all select 'sign-in', router_name from software_login_logs where account_id = ?1
     union all select 'dial', router_name from dial_logs where account_id = ?1
     union all select 'certificate', router_name from certificates where account_id = ?1
     union all select 'revocation', serial from revocations where account_id = ?1
     union all select 'message', title from messages where account_id = ?1`,
    [id],
  )

/** Rows that are kept for so many days, older and younger. */
export async function createExpired() {
  const { id } = await createAccount(0)
  await insertRecords(id)
  return { run: removeExpired, result: () => recordsOf(id) }
}
