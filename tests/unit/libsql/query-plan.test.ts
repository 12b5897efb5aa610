import { describe, expect, it } from 'vitest'
import { planOf } from '#tests/support/query-plan.ts'

describe('statements that read a whole table', () => {
  it.each([
    ['by no index', `select * from audit_logs where message = ?`, ['SCAN audit_logs']],
    ['under an alias', `select r.id from routers r where r.note = ?`, ['SCAN r']],
    ['under an alias in quotes', `select "one"."id" from "routers" "one" where "one"."note" = ?`, ['SCAN one']],
    [
      'over an index that answers another question',
      `select account_id from routers where router_type = ?`,
      ['SCAN routers USING COVERING INDEX routers_account'],
    ],
    ['for one side of an or', `select id from accounts where username = ? or nickname = ?`, ['SCAN accounts']],
    [
      'in a join on nothing',
      `select a.id from accounts a left join ram_accounts r on r.account_id = a.id and 0 where a.id = ?`,
      ['SCAN r USING COVERING INDEX ram_accounts_role LEFT-JOIN'],
    ],
    ['in a guard', `insert into attempts select id, 1, 1 from accounts where nickname = ?`, ['SCAN accounts']],
  ])('are found: %s', (_, sql, scans) => {
    expect(planOf(sql)).toEqual({ sql, scans })
  })

  it.each([
    ['a key', `select * from accounts where username = ? or email = ?`],
    ['a list', `select * from routers where id in (select value from json_each(?))`],
    ['an index of few rows', `select id from routers where password_sealed is not null`],
    ['a table of few rows', `select * from pops where status = 1`],
    ['the rows that refer to a new one', `insert into accounts (username) values (?), (?)`],
    ['a subquery of an account', `select * from (select note from routers where account_id = ?) where note = ?`],
  ])('are not those that read %s', (_, sql) => {
    expect(planOf(sql).scans).toEqual([])
  })
})
