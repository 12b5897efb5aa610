import { expect, it } from 'vitest'
import { MEMBER_FIELDS } from '#domain/network/history/named-members.ts'
import { MIGRATIONS, databaseAt, fill } from './releases.ts'

const at = MIGRATIONS.findIndex(({ name }) => name === '0050_version_members.sql')

it('differences of the release before get the keys of the members that were there', () => {
  const database = databaseAt(MIGRATIONS.slice(0, at))
  fill(database)
  const insertRouter = database.prepare(
    `INSERT INTO routers (id, account_id, name, router_type, password, hub, uid, created_at)
     VALUES (?, 1, ?, 2, '!', ?, ?, ?)`,
  )
  for (const [id, createdAt] of [
    [11, 1],
    [12, 1],
    [13, 9], // later than the version: another one than it names
  ] as const)
    insertRouter.run(id, `m${id}@x`, `h${id}`, id === 12 ? null : `k${id}`, createdAt)
  const diff = (setting: string, before: unknown, routerId: number | null = null) => ({
    setting,
    router_id: routerId,
    before,
    after: null,
    words: { title: '路由方式', old: '12', new: '' },
  })
  const changes = [
    diff('routing', { type: 2, main: 11, secondary: 12 }),
    diff('center_link', { server: 13, mask: 30 }),
    diff('point_links', [{ serverId: 11, clientId: 99, mask: 11 }]),
    diff('software_mode', { mode: 2 }, 12),
    diff('dns', ['10.0.0.1']),
  ]
  database.prepare('UPDATE network_versions SET changes = ?, at = 5').run(JSON.stringify(changes))
  database.exec(MIGRATIONS[at]?.sql ?? '')
  const stored = database.prepare('SELECT changes FROM network_versions').get()?.['changes']
  const uids = [{ 11: 'k11', 12: 'h12' }, {}, { 11: 'k11' }, { 12: 'h12' }, {}]
  expect(JSON.parse(String(stored))).toEqual(changes.map((change, i) => ({ ...change, uids: uids[i] })))
})

it('looks at every field that names a member', () => {
  const [, fields = ''] = /t\.key IN \(([^)]*)\)/.exec(MIGRATIONS[at]?.sql ?? '') ?? []
  expect(fields.split(', ').map((field) => field.slice(1, -1))).toEqual(MEMBER_FIELDS)
})
