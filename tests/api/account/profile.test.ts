import { beforeEach, describe, expect, it, vi } from 'vitest'
import { INDUSTRIES } from '#contract/account/forms.ts'
import { accountApi } from '#contract/account/index.ts'
import { latestBirthday } from '#domain/account/user.ts'
import { createMainAccount, createSubAccount } from '#tests/support/fixtures.ts'
import { selectAudit } from '#tests/support/identity.ts'
import { refusal } from '#tests/support/test-worker.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const saved = { nickname: '张三', birthday: '1990-02-28', industry: 'I13', occupation: '网络工程师' } as const

describe('account 7 · account/data and account/edit_data', () => {
  it('answer and save the profile', async () => {
    const main = await createMainAccount()
    const account = main.username
    expect(await main.call(accountApi.data, {})).toMatchObject({
      trips: 1,
      data: { account, nickname: '测试账号', birthday: '', industry: '', occupation: '' },
    })
    expect(await main.call(accountApi.editData, { account, ...saved })).toMatchObject({
      code: 200,
      msg: '保存成功',
      trips: 2,
    })
    expect((await main.call(accountApi.data, {})).data).toEqual({ account, ...saved })
    expect((await main.call(accountApi.info, {})).data).toMatchObject(saved)
    expect((await selectAudit(main.accountId))[0]).toMatchObject({ action: 'edit_data', after: JSON.stringify(saved) })
    expect(await main.call(accountApi.editData, { account, ...saved })).toMatchObject({ code: 200, trips: 1 })
  })

  it('the user name stays what it is', async () => {
    const main = await createMainAccount()
    const other = await main.call(accountApi.editData, { account: 'another1', ...saved })
    expect(other).toMatchObject({ ...refusal('USERNAME_FIXED'), data: { field: 'account' } })
  })

  it('are the main account’s', async () => {
    const sub = await createSubAccount(await createMainAccount())
    expect(await sub.call(accountApi.data, {})).toMatchObject(refusal('PERMISSION_DENIED'))
  })
})

describe('account 5 · profile', () => {
  const now = Date.now()
  const tomorrow = latestBirthday(now + 86_400_000)
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now })) // no day ends within a test
  it('refuses each wrong field with its sentence', async () => {
    const offenders = await findOffenders([
      ['account', { account: '' }, '账号不能为空'],
      ['nickname', { nickname: '' }, '昵称不能为空'],
      ['nickname', { nickname: '张' }, '昵称长度2-12字符，由中文,英文,数字组成'],
      ['nickname', { nickname: '张'.repeat(13) }, '昵称长度2-12字符，由中文,英文,数字组成'],
      ['nickname', { nickname: '张_三' }, '昵称不能包含特殊字符'],
      ['birthday', { birthday: '' }, '生日不能为空'],
      ['birthday', { birthday: undefined }, '生日不能为空'],
      ['birthday', { birthday: '1990-02-30' }, '生日格式不正确，例如1990-01-31'],
      ['birthday', { birthday: '1990-2-3' }, '生日格式不正确，例如1990-01-31'],
      ['birthday', { birthday: '1899-12-31' }, '生日不能早于1900-01-01'],
      ['birthday', { birthday: tomorrow }, `生日不能晚于${latestBirthday(now)}`],
      ['industry', { industry: '' }, '行业不能为空'],
      ['industry', { industry: undefined }, '行业不能为空'],
      ['industry', { industry: 'I23' }, '请选择有效的行业'],
      ['occupation', { occupation: '' }, '职业不能为空'],
      ['occupation', { occupation: '工'.repeat(13) }, '职业不能超过12个字符'],
    ])(async (field, over, msg) => {
      const main = await createMainAccount()
      const input = { account: main.username, ...saved, ...over } as never
      expect(await main.call(accountApi.editData, input)).toMatchObject({ code: 422, msg, data: { field } })
    })
    expect(offenders).toEqual([])
  })

  it('takes the first and the last birthday, and every industry of the document', async () => {
    const main = await createMainAccount()
    const save = (over: object) =>
      main.call(accountApi.editData, { account: main.username, ...saved, ...over } as never)
    for (const birthday of ['1900-01-01', '2000-02-29', latestBirthday(now)])
      expect((await save({ birthday })).code).toBe(200)
    for (const industry of Object.keys(INDUSTRIES)) expect((await save({ industry })).code).toBe(200)
  })
})
