import { inflateRawSync, constants } from 'node:zlib'
import { expect, it } from 'vitest'
import { MEMBER_FILE } from '#contract/router/limits.ts'
import { openDb } from '#db/client.ts'
import type { Driver } from '#db/driver.ts'
import { SHEET_PART } from '#domain/workbook/package-xml.ts'
import { exportMembers } from '#features/router/member-file.ts'
import { createAccount, driver, run } from '#tests/support/libsql.ts'

const MEMBERS = 10_000

/** Collects the packed segments of the sheet, of a workbook that arrives piece by piece. */
function createSheetCounter() {
  let segments: Uint8Array[] | null = null
  return {
    add(chunk: Uint8Array) {
      const text = Buffer.from(chunk).toString('latin1')
      if (text.startsWith('PK')) segments = text.startsWith('PK\x03\x04') && text.includes(SHEET_PART) ? [] : null
      else segments?.push(chunk)
    },
    /** Members in what has arrived; the header is no member. */
    members(): number {
      if (segments === null || segments.length === 0) return 0
      const xml = inflateRawSync(Buffer.concat(segments), { finishFlush: constants.Z_SYNC_FLUSH }).toString()
      return xml.split('<row ').length - 2
    },
  }
}

it('an export of 10,000 members holds one portion of rows at a time, however many there are', async () => {
  const { id, ctx } = await createAccount(0)
  await run(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?2)
     insert into routers (account_id, name, router_type, password, note, created_at, hub)
     select ?1, 'u' || i || '@export' || ?1, 2, 'x', '门店', 0, 'default.' || lower(hex(randomblob(16))) from n`,
    [id, MEMBERS],
  )
  const sheet = createSheetCounter()
  let read = 0
  const held: number[] = []
  const counting: Driver = async (statements) => {
    const results = await driver(statements)
    for (const rows of results) {
      if (rows.length <= 1) continue // the number of members, the audit row
      read += rows.length
      held.push(read - sheet.members())
    }
    return results
  }
  const { body } = await exportMembers({ ...ctx, db: openDb(counting) })
  expect(read).toBe(MEMBER_FILE.portion) // nothing is read ahead of the download
  for await (const chunk of body as ReadableStream<Uint8Array>) sheet.add(chunk)
  expect(read).toBe(MEMBERS)
  expect(held).toHaveLength(MEMBERS / MEMBER_FILE.portion)
  expect(Math.max(...held)).toBeLessThanOrEqual(2 * MEMBER_FILE.portion)
})
