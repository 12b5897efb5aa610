import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { monitorApi } from '#contract/monitor/index.ts'
import { ticketApi } from '#contract/ticket/index.ts'
import { type FirstStep, overviewApi } from '#contract/overview/index.ts'
import {
  type Caller,
  createMainAccount,
  createRouter,
  createSession,
  createSubAccount,
} from '#tests/support/fixtures.ts'
import { selectAudit } from '#tests/support/identity.ts'
import { db, refusal } from '#tests/support/test-worker.ts'
import { tickets } from '#db/schema/tickets.ts'

const { info, dismissSteps } = overviewApi
const stepsOf = async (caller: Pick<Caller, 'call'>) => {
  const { data, trips } = await caller.call(info, {})
  expect(trips).toBe(1)
  return Object.fromEntries(data.first_steps.map(({ step, state }) => [step, state])) as Record<FirstStep, string>
}

describe('account 2 · overview · first steps', () => {
  it('tick themselves off by what the account has', async () => {
    const main = await createMainAccount()
    expect(await stepsOf(main)).toMatchObject({ hardware: 'open', network: 'open', alert: 'open' })
    expect((await main.call(info, {})).data.awaited).toBeNull()
    const { name } = await createRouter(main.accountId)
    expect((await main.call(info, {})).data.awaited).toMatchObject({
      router_name: name,
      since: expect.any(Number) as number,
    })
    expect((await main.call(info, {})).data.alerts).toBe(0)
    await main.call(monitorApi.enable, {})
    expect((await main.call(info, {})).data.alerts).toBe(1)
    expect(await stepsOf(main)).toMatchObject({ hardware: 'done', software: 'open', network: 'open', alert: 'done' })
  })

  it('that are dismissed stay so in every session of the account, and come back when it asks', async () => {
    const main = await createMainAccount()
    const answer = await main.call(dismissSteps, { steps: ['software', 'alert'] })
    expect(answer).toMatchObject({ code: 200, trips: 1 })
    await main.call(dismissSteps, { steps: ['software'] }) // again changes nothing
    const dismissed = { software: 'dismissed', alert: 'dismissed', hardware: 'open' }
    expect(await stepsOf(await createSession(main.session))).toMatchObject(dismissed)
    expect(await stepsOf(await createSubAccount(main, { flags: [] }))).toMatchObject(dismissed)
    await main.call(dismissSteps, { steps: ['software'], dismissed: 0 })
    expect(await stepsOf(main)).toMatchObject({ software: 'open', alert: 'dismissed' })
    expect((await selectAudit(main.accountId))[0]).toMatchObject({
      module: 'overview',
      action: 'dismiss_steps',
      message: '恢复新手引导“添加成员”',
    })
  })

  it('a request to the provider is shown with its state, until it is closed or the service is there', async () => {
    const main = await createMainAccount()
    const request = async (caller: Pick<Caller, 'call'>) => (await caller.call(info, {})).data.service_request
    await main.call(ticketApi.create, { title: '其他问题', content: '与服务无关的一个问题', type: 6, file_ids: [] })
    expect(await request(main)).toBeNull()
    const { data } = await main.call(ticketApi.create, {
      title: '开通服务：组网席位',
      content: '账号希望开通组网服务。',
      type: 1,
      file_ids: [],
    })
    expect(await request(main)).toMatchObject({ ticket_number: data.ticket_number, ticket_status: 1 })
    expect(await request(await createSubAccount(main, { flags: [] }))).toBeNull() // it sees its own tickets only
    await db.update(tickets).set({ status: 4 }).where(eq(tickets.number, data.ticket_number))
    expect(await request(main)).toBeNull()
  })

  it('of one account are no other’s, and no sub-account’s to dismiss', async () => {
    const [main, stranger] = [await createMainAccount(), await createMainAccount()]
    await main.call(dismissSteps, { steps: ['hardware'] })
    expect(await stepsOf(stranger)).toMatchObject({ hardware: 'open' })
    const sub = await createSubAccount(main, { flags: ['router:create'] })
    expect(await sub.call(dismissSteps, { steps: ['network'] })).toMatchObject(refusal('PERMISSION_DENIED'))
    expect(await stepsOf(main)).toMatchObject({ network: 'open' })
  })

  it.each([{ steps: [] }, { steps: ['everything'] }, { steps: ['alert'], dismissed: 2 }])(
    'refuses %j',
    async (input) => {
      const main = await createMainAccount()
      expect((await main.call(dismissSteps, input as never)).code).toBe(422)
    },
  )
})
