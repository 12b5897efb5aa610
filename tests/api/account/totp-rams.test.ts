import { beforeEach, describe, expect, it, vi } from 'vitest'
import { accountApi } from '#contract/account/index.ts'
import { createMainAccount, createSubAccount } from '#tests/support/fixtures.ts'
import { selectAudit } from '#tests/support/identity.ts'
import { createPerson, lastText, selectMessages } from '#tests/support/own-contact.ts'
import { hubCalls, refusal } from '#tests/support/test-worker.ts'
import { beginSignIn, complete, enableTotp } from '#tests/support/totp.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })) // a code is that of one time step

describe('design 6 · account/totp_rams', () => {
  it('lists the account’s own sub-accounts with their second factor, in one round trip', async () => {
    const [main, stranger] = [await createMainAccount(), await createMainAccount()]
    const [a, b] = [await createSubAccount(main, { username: 'a' }), await createSubAccount(main, { username: 'b' })]
    await createSubAccount(stranger)
    await enableTotp(b)
    const answer = await main.call(accountApi.totpRams, {})
    expect(answer).toMatchObject({ code: 200, count: 2, trips: 1 })
    expect(answer.data).toEqual([
      { ram_id: a.ramId, username: a.username, nickname: '测试子账号', enrolled_time: null },
      { ram_id: b.ramId, username: b.username, nickname: '测试子账号', enrolled_time: Date.now() },
    ])
  })
})

describe('design 6 · account/totp_require', () => {
  it('signs out the sub-accounts without a second factor, within the account, audited and announced', async () => {
    const { main, email } = await createPerson()
    const stranger = await createMainAccount()
    const [bare, safe] = [await createSubAccount(main), await createSubAccount(main)]
    const other = await createSubAccount(stranger)
    await enableTotp(safe)
    const before = hubCalls.length
    const answer = await main.call(accountApi.totpRequire, { required: 1 })
    expect(answer).toMatchObject({ code: 200, msg: '设置成功', trips: 2 })
    expect(hubCalls.slice(before)).toMatchObject([{ kind: 'account', hub: main.hub, method: 'refresh' }])
    expect(await bare.call(accountApi.info, {})).toMatchObject(refusal('SESSION_REVOKED'))
    for (const who of [main, safe, other]) expect((await who.call(accountApi.info, {})).code).toBe(200)
    expect((await selectAudit(main.accountId))[0]).toMatchObject({
      action: 'totp_require',
      before: '{"required":0}',
      after: '{"required":1}',
    })
    expect((await selectMessages(main.accountId)).at(-1)).toMatchObject({ title: '子账号须使用两步验证', person: '' })
    expect(await lastText(email)).toContain('已要求子账号使用两步验证')
    expect((await safe.call(accountApi.totp, {})).data.ram_required).toBe(1)
    expect(await main.call(accountApi.totpRequire, { required: 1 })).toMatchObject({ code: 200, trips: 1 })
  })
})

describe('design 6 · account/totp_reset', () => {
  it('removes it from a sub-account, signs it out, and is audited and announced', async () => {
    const { main, email } = await createPerson()
    const sub = await createSubAccount(main)
    const { code } = await enableTotp(sub)
    const ticket = await beginSignIn(sub.username)
    const answer = await main.call(accountApi.totpReset, { ram_id: sub.ramId })
    expect(answer).toMatchObject({ code: 200, trips: 2 })
    expect(await sub.call(accountApi.info, {})).toMatchObject(refusal('SESSION_REVOKED'))
    expect(await complete(ticket, { code: code() })).toMatchObject(refusal('LOGIN_TICKET_BAD'))
    expect(await beginSignIn(sub.username)).toBe('')
    const [reset] = (await selectAudit(main.accountId)).filter(({ action }) => action === 'totp_reset')
    expect(reset).toMatchObject({ target: sub.username, actorKind: 'main' })
    const people = (await selectMessages(main.accountId)).filter(({ title }) => title === '两步验证已重置')
    expect(people.map(({ person }) => person)).toEqual([`ram:${sub.ramId}`, `main:${main.accountId}`])
    expect(await lastText(email)).toContain(`账号 ${sub.username} 的两步验证已由主账号重置`)
    expect(await main.call(accountApi.totpReset, { ram_id: sub.ramId })).toMatchObject({ code: 200, trips: 1 })
  })

  it('another account’s sub-account answers like one that does not exist, and keeps its second factor', async () => {
    const [main, stranger] = [await createMainAccount(), await createMainAccount()]
    const sub = await createSubAccount(stranger)
    await enableTotp(sub)
    const shown = async (ram_id: number) => {
      const { code, msg, reason, data, trips } = await main.call(accountApi.totpReset, { ram_id })
      return { code, msg, reason, data, trips }
    }
    expect(await shown(sub.ramId)).toEqual(await shown(2_000_000_000))
    expect(await shown(sub.ramId)).toMatchObject(refusal('RAM_NOT_FOUND'))
    expect(await beginSignIn(sub.username)).not.toBe('')
  })

  it('is the main account’s alone', async () => {
    const main = await createMainAccount()
    const [sub, colleague] = [await createSubAccount(main), await createSubAccount(main)]
    await enableTotp(colleague)
    const denied = refusal('PERMISSION_DENIED')
    expect(await sub.call(accountApi.totpReset, { ram_id: colleague.ramId })).toMatchObject(denied)
    expect(await sub.call(accountApi.totpRequire, { required: 1 })).toMatchObject(denied)
    expect(await sub.call(accountApi.totpRams, {})).toMatchObject(denied)
  })
})
