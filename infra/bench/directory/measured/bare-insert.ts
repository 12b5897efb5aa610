import { newHubName } from '#security/hub-name.ts'

const STATEMENT_ROWS = 5_000

/** Inserts the rows of all imported members once more, for that account and with nothing beside them; answers the ms it took. */
export async function insertBare(env: Env, account: string): Promise<number> {
  const { DB } = env
  if (!DB) throw new Error('the bench runs on D1')
  const accountId = await DB.prepare('SELECT id FROM accounts WHERE username = ?').bind(account).first<number>('id')
  const { results } = await DB.prepare(
    `SELECT name, note, password, area_code, phone, source, created_at FROM routers WHERE source = 'ldap' AND account_id <> ?`,
  )
    .bind(accountId)
    .all<Readonly<Record<string, unknown>>>()
  if (results.length === 0) throw new Error('nobody was imported')
  const rows = results.map(({ name, ...row }) => ({ ...row, name: `${String(name)}.bare`, hub: newHubName('') }))
  const from = Date.now()
  for (let at = 0; at < rows.length; at += STATEMENT_ROWS)
    await DB.prepare(
      `INSERT INTO routers (account_id, name, router_type, note, password, area_code, phone, source, hub, created_at)
        SELECT ?, value ->> 'name', 2, value ->> 'note', value ->> 'password', value ->> 'area_code', value ->> 'phone',
          value ->> 'source', value ->> 'hub', value ->> 'created_at' FROM json_each(?)`,
    )
      .bind(accountId, JSON.stringify(rows.slice(at, at + STATEMENT_ROWS)))
      .run()
  const tookMs = Date.now() - from
  await DB.prepare('DELETE FROM routers WHERE account_id = ?').bind(accountId).run()
  return tookMs
}
