import { expect, it } from 'vitest'
import { MIGRATIONS, databaseAt, fill } from './releases.ts'

const INDEX = MIGRATIONS.findIndex(({ name }) => name.startsWith('0045'))

it('0045 gives each member the name of its hub as key, and each record the key of its member', () => {
  const database = databaseAt(MIGRATIONS.slice(0, INDEX))
  fill(database)
  const run = (sql: string) => database.exec(sql)
  run(`INSERT INTO routers (id, account_id, name, router_type, password, source, created_at, hub) VALUES
    (10, 1, 'hand@q', 2, '', 'manual', 100, 'h10'), (11, 1, 'li@q', 2, '!', 'ldap', 100, 'h11'),
    (12, 1, 'late@q', 2, '', 'manual', 500, 'h12')`)
  // 11 was the id of zhang, who was removed; li got it when undo brought him back under his old time of creation.
  run(`INSERT INTO software_login_logs (account_id, router_id, router_name, ok, ip, at) VALUES
    (1, 10, 'hand@old', 1, '', 200), (1, 11, 'zhang@q', 1, '', 200), (1, 11, 'LI@old', 1, '', 200),
    (1, 12, 'before@q', 1, '', 200), (1, NULL, 'hand@q', 1, '', 200), (1, NULL, 'nobody@q', 0, '', 200)`)
  run(`INSERT INTO dial_logs (account_id, key, mode, network_number, router_name, link_router_name, start_at, router_id) VALUES
    (1, 'a', 'p2p', 'N1', 'zhang@q', 'NL1', 200, 11), (1, 'b', 'p2p', 'N1', 'hand@q', 'NL1', 200, 10)`)
  run(`INSERT INTO connection_logs (account_id, router_name, epoch, online, remote_ip, remote_port, version, at, router_id)
    VALUES (1, 'hand@q', 1, 1, '', 0, '', 200, 10), (1, 'late@q', 1, 1, '', 0, '', 200, NULL)`)
  run(MIGRATIONS[INDEX]!.sql)
  const column = (sql: string) =>
    database
      .prepare(sql)
      .all()
      .map((row) => Object.values(row)[0])
  expect(column('SELECT uid FROM routers WHERE id >= 10 ORDER BY id')).toEqual(['h10', 'h11', 'h12'])
  expect(column('SELECT router_uid FROM software_login_logs WHERE at = 200 ORDER BY id')).toEqual([
    'h10',
    null,
    'h11',
    null,
    'h10',
    null,
  ])
  expect(column('SELECT router_uid FROM dial_logs WHERE start_at = 200 ORDER BY id')).toEqual([null, 'h10'])
  expect(column('SELECT router_uid FROM connection_logs WHERE at = 200 ORDER BY id')).toEqual(['h10', null])
  expect(() => run(`UPDATE routers SET uid = 'h10' WHERE id = 11`)).toThrow('UNIQUE')
})
