import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accountApi } from '#contract/account/index.ts'
import { opsApi } from '#contract/ops/index.ts'
import { services } from '#db/schema/accounts.ts'
import { createMainAccount } from '#tests/support/fixtures.ts'
import { call, db } from '#tests/support/test-worker.ts'

describe('design 1 · ops · services', () => {
  const day = 86_400_000
  const form = (account: string, over: object = {}) => ({
    account,
    kind: 'network_member' as const,
    name: '智能组网标准版',
    quantity: 10,
    start_time: Date.now() - day,
    expired_time: Date.now() + day,
    ...over,
  })

  it('are given once and renewed under their name', async () => {
    const main = await createMainAccount()
    const first = await call(opsApi.setService, form(main.username))
    const again = await call(opsApi.setService, form(main.username, { quantity: 20 }))
    const other = await call(opsApi.setService, form(main.username, { name: '加购包', quantity: 5 }))
    expect(again.data.service_id).toBe(first.data.service_id)
    expect(other.data.service_id).not.toBe(first.data.service_id)
    const rows = await db.select().from(services).where(eq(services.accountId, main.accountId))
    expect(rows.map(({ quantity }) => quantity)).toEqual([20, 5])
    expect((await main.call(accountApi.service, {})).count).toBe(2)
  })

  it('must end after they begin', async () => {
    const main = await createMainAccount()
    const answer = await call(opsApi.setService, form(main.username, { expired_time: Date.now() - 2 * day }))
    expect(answer).toMatchObject({ code: 422, msg: '到期时间必须晚于开始时间', data: { field: 'expired_time' } })
  })

  it.each([{ start_time: 1.5 }, { expired_time: 1e300 }, { start_time: -1 }, { quantity: 2 ** 52 }, { quantity: 0.5 }])(
    'refuse %j instead of failing on it',
    async (over) => {
      const { username } = await createMainAccount()
      expect(await call(opsApi.setService, form(username, over))).toMatchObject({ code: 422, reason: 'INPUT_INVALID' })
    },
  )
})
