import { describe, expect, it } from 'vitest'
import { openDb } from '#db/client.ts'
import { attachFiles } from '#features/file/sql.ts'
import { SCOPED_TABLES, scopeProblem } from '#tests/support/account-scope.ts'

// Every write of the Worker in every API test passes this check: tests/support/test-worker.ts refuses the others.

const problemOf = (query: { toSQL(): { sql: string } }) => scopeProblem(query.toSQL())
const db = openDb(() => Promise.reject(new Error('not to be run')))

describe('design 5 · every statement that changes a customer’s rows names the account', () => {
  it('by the tables that have one, and the states of routers', () => {
    expect(SCOPED_TABLES).toEqual(
      expect.arrayContaining(['routers', 'router_states', 'networks', 'network_members', 'sessions', 'files']),
    )
  })

  it.each([
    'update routers set account_id = 1 where id = ?',
    'delete from "network_members" where "router_id" = ?',
    'update "networks" set "status" = 1 where "id" = ? returning "account_id"',
    'insert or replace into router_states (router_id, presence) values (?, ?)',
    'update "sessions" set "ended_at" = ? where "id" = ?',
    'with gone as (select 1 as id) update networks set status = 0 where id in (select id from gone)',
  ])('refuses %s', (text) => {
    expect(scopeProblem({ sql: text })).toContain('without account_id')
  })

  it.each([
    'select * from routers where id = ?',
    'update "attempts" set "count" = 0',
    'update "routers" set "note" = ? where ("routers"."account_id" = ? and "routers"."id" = ?)',
    'insert into router_states (router_id) select id from routers where account_id = ? and id = ?',
  ])('accepts %s', (text) => {
    expect(scopeProblem({ sql: text })).toBeNull()
  })

  it('files are attached by their account', () => {
    expect(problemOf(attachFiles(db, 1, 'ticket_image', ['k'], 'ticket:T1'))).toBeNull()
  })
})
