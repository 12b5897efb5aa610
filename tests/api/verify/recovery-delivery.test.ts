import { describe, expect, it, vi } from 'vitest'
import { verifyApi } from '#contract/verify/index.ts'
import { outbox } from '#db/schema/accounts.ts'
import { createOutside } from '#outside/adapters.ts'
import { unique } from '#tests/support/fixtures.ts'
import { createRecoverable, openRecovery, sendRecoveryCode } from '#tests/support/recovery.ts'
import { createTestWorker, call, db } from '#tests/support/test-worker.ts'

describe('account 2 · delivery of a recovery code', () => {
  const names = async () => [(await createRecoverable()).username, unique('nobody')]

  it('starts after the answer has left, and costs as much for a name that nobody has', async () => {
    for (const name of await names()) {
      const events: string[] = []
      const watched = createTestWorker({
        outside: (env) => ({
          ...createOutside(env),
          sms: { ...createOutside(env).sms, sendCode: async () => void events.push('delivery') },
          sendNothing: async () => void events.push('delivery'),
        }),
        onAnswer: () => void events.push('answer'),
      })
      const { uniqid } = (await openRecovery(name)).data
      await watched.call(verifyApi.findPasswordCode, { uniqid, send_type: 'phone' })
      expect(events).toEqual(['answer', 'delivery'])
    }
  })

  it('reaches nobody for a name that nobody has', async () => {
    const { data } = await openRecovery(unique('nobody'))
    const rows = await db.$count(outbox)
    await sendRecoveryCode(data.uniqid)
    expect(await db.$count(outbox)).toBe(rows)
  })

  it('is answered the same when the provider is down', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    const down = createTestWorker({
      outside: (env) => ({
        ...createOutside(env),
        sms: { ...createOutside(env).sms, sendCode: () => Promise.reject(new Error('down')) },
      }),
    })
    for (const name of await names()) {
      const { uniqid } = (await openRecovery(name)).data
      const again = () => down.call(verifyApi.findPasswordCode, { uniqid, send_type: 'phone' })
      expect(await again()).toMatchObject({ code: 200, trips: 2 })
      expect(await again()).toMatchObject({ code: 429, trips: 2 })
    }
  })

  it.each([
    ['phone', '手机验证码不能为空'],
    ['email', '邮箱验证码不能为空'],
  ] as const)('wants the code that went by %s', async (send_type, msg) => {
    expect(await call(verifyApi.authentication, { uniqid: 'x', send_type, code: '' })).toMatchObject({ code: 422, msg })
  })
})
