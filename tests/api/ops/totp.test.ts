import { beforeEach, describe, expect, it, vi } from 'vitest'
import { accountApi } from '#contract/account/index.ts'
import { opsApi } from '#contract/ops/index.ts'
import { createMainAccount, createSubAccount, unique } from '#tests/support/fixtures.ts'
import { selectAudit } from '#tests/support/identity.ts'
import { createPerson, lastText, selectMessages } from '#tests/support/own-contact.ts'
import { call, refusal } from '#tests/support/test-worker.ts'
import { beginSignIn, enableTotp } from '#tests/support/totp.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })) // a code is that of one time step

describe('design 6 · operator: account totp-reset', () => {
  it('removes the main account’s second factor, ends its sessions, and mails the owner', async () => {
    const { main, email } = await createPerson()
    const sub = await createSubAccount(main)
    await enableTotp(main)
    await enableTotp(sub)
    const answer = await call(opsApi.resetTotp, { account: main.username })
    expect(answer).toMatchObject({ code: 200, msg: '设置成功' })
    expect(await main.call(accountApi.info, {})).toMatchObject(refusal('SESSION_REVOKED'))
    expect((await sub.call(accountApi.info, {})).code).toBe(200)
    expect((await selectAudit(main.accountId))[0]).toMatchObject({
      actorKind: 'operator',
      action: 'account/totp_reset',
      target: main.username,
    })
    expect((await selectMessages(main.accountId)).at(-1)).toMatchObject({ title: '两步验证已重置', person: '' })
    expect(await lastText(email)).toContain(`账号 ${main.username} 的两步验证已由服务商重置`)
    expect(await beginSignIn(main.username)).toBe('')
    expect(await beginSignIn(sub.username)).not.toBe('')
  })

  it('refuses an account that has none, or does not exist', async () => {
    const { username } = await createMainAccount()
    expect(await call(opsApi.resetTotp, { account: username })).toMatchObject(refusal('TOTP_OFF'))
    expect(await call(opsApi.resetTotp, { account: unique('none') })).toMatchObject(refusal('ACCOUNT_NOT_FOUND'))
  })
})
