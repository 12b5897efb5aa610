import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accountApi } from '../../../worker/contract/account.ts'
import { opsApi } from '../../../worker/contract/ops.ts'
import { messages } from '../../../worker/db/schema/notices.ts'
import { selectAudit } from '../../support/identity.ts'
import { createMainAccount, unique } from '../../support/fixtures.ts'
import { call, db, hubCalls } from '../../support/test-worker.ts'

describe('design 1 · ops · messages', () => {
  it('go to one account, and its account hub is notified', async () => {
    const [mine, other] = [await createMainAccount(), await createMainAccount()]
    const input = { account: mine.username, title: '设备发货通知', content: '已发货' }
    const { data } = await call(opsApi.sendMessage, input)
    const [row] = await db
      .select()
      .from(messages)
      .where(eq(messages.id, data.message_id ?? 0))
    expect(row).toMatchObject({ accountId: mine.accountId, title: input.title, type: '系统' })
    expect((await mine.call(accountApi.info, {})).data.message_count).toBe(1)
    expect((await other.call(accountApi.info, {})).data.message_count).toBe(0)
    expect(hubCalls.filter(({ hub, method }) => hub === mine.hub && method === 'refresh')).toHaveLength(1)
  })
})

describe('design 5 · ops · every call that writes leaves an audit row', () => {
  it('of the account that it concerns, or of the service', async () => {
    const main = await createMainAccount()
    const account = main.username
    await call(opsApi.publishAnnouncement, { title: unique('公告'), content: 'x' })
    await call(opsApi.tokenLink, { account })
    await call(opsApi.sendMessage, { account, title: 't', content: 'c' })
    const { data } = await call(opsApi.provisionDevice, { model: 'NL-R220' })
    await call(opsApi.resetDevice, { serial: data.serial })
    const own = (await selectAudit(main.accountId)).map(({ action }) => action)
    expect(own).toEqual(['message/send', 'login/token_link'])
    const serviceActions = (await selectAudit(0)).map(({ action }) => action)
    expect(serviceActions).toContain('announcement/publish')
    expect(serviceActions).toContain('device/reset')
  })
})
