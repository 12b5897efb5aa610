import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Refusal } from '../../../worker/contract/errors.ts'
import { centerSegments, checkSegments } from '../../../worker/domain/network/segments.ts'
import { lansOf } from '../../../worker/domain/router/interfaces.ts'
import { guardSegments } from '../../../worker/features/network/queries-segments.ts'
import type { InterfaceInfo } from '../../../worker/contract/protocol.ts'
import { anAccount, db, routersOf, run } from '../../support/libsql.ts'

// The rule stands twice: in words for the person (checkSegments), and in SQL where calls race. They must agree.

const address = fc.oneof(
  fc
    .tuple(fc.constantFrom(10, 100), fc.constantFrom(0, 64, 65), fc.nat(40), fc.nat(255))
    .map((octets) => octets.join('.')),
  fc.constantFrom('', 'fe80::1', '010.0.0.1', '10.0.1', '10.0.0.256', '10.0.0.1.2', '10,0.0.1', 'a.b.c.d', '10..0.1'),
  fc.constantFrom('0.0.36028797018963967.9223372036854775807', '9223372036854775807.0.0.1'), // sums beyond 64 bits
)
const port = fc.record({
  ip: address,
  mask: fc.oneof(fc.integer({ min: 16, max: 32 }), fc.constantFrom(0, 8, 64)),
  role: fc.constantFrom('lan', 'lan', 'lan', 'wan'),
})
const MEMBERS = 4
const plan = fc.record({
  ports: fc.array(fc.array(port, { maxLength: 2 }), { minLength: MEMBERS, maxLength: MEMBERS }),
  pairs: fc.uniqueArray(fc.nat(20), { minLength: 1, maxLength: 2 }),
})

it('SQL finds an overlap exactly where the rule does', async () => {
  const { id } = await anAccount(20)
  const names = await routersOf(id, MEMBERS)
  await run(`insert into networks (id, account_id, number, name, secret, created_at) values (1, ?, 'n', 'n', '', 0)`, [
    id,
  ])
  await fc.assert(
    fc.asyncProperty(plan, async ({ ports, pairs }) => {
      await run('delete from network_members')
      await run('delete from router_states')
      for (const [i, name] of names.entries()) {
        const pair = pairs[i] ?? null
        await run(
          `insert into network_members (account_id, network_id, router_id, member_type, segment_index, host, joined_at)
           values (?, 1, (select id from routers where name = ?), ?, ?, ?, 0)`,
          [id, name, pair === null ? 'point' : 'center', pair, i + 2],
        )
        await run(
          `insert into router_states (router_id, interfaces) values ((select id from routers where name = ?), ?)`,
          [name, JSON.stringify(ports[i])],
        )
      }
      const owned = names.flatMap((routerName, i) => {
        const pair = pairs[i]
        const own = pair === undefined ? [] : Object.values<string>(centerSegments(pair))
        const lans = lansOf(ports[i] as unknown as InterfaceInfo[])
        return [...lans, ...own].map((segment) => ({ routerName, label: '', segment }))
      })
      const passes = await db.batch([guardSegments(db, sql`1`)]).then(
        () => true,
        (error: unknown) => {
          expect(error).toBeInstanceOf(Refusal)
          return false
        },
      )
      expect(passes).toBe(checkSegments(owned) === null)
    }),
    { numRuns: 300 },
  )
})
