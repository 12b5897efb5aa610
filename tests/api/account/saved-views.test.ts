import { describe, expect, it } from 'vitest'
import { accountApi } from '#contract/account/index.ts'
import { SAVED_VIEW } from '#contract/account/limits.ts'
import { createMainAccount, createSubAccount, selectAudits } from '#tests/support/fixtures.ts'
import { refusal } from '#tests/support/test-worker.ts'

const view = (name: string, query = 'state=offline') => ({ list: 'router', name, query }) as const

describe('design 10 · saved views', () => {
  it('belong to one person, and one of the same name is replaced', async () => {
    const main = await createMainAccount()
    const [sub, other] = [await createSubAccount(main), await createMainAccount()]
    expect(await main.call(accountApi.saveView, view('华东离线'))).toMatchObject({ code: 200, trips: 1 })
    await main.call(accountApi.saveView, view('a'))
    await main.call(accountApi.saveView, view('华东离线', 'columns=&sort=name'))
    await sub.call(accountApi.saveView, view('华东离线'))
    const shown = async (by: typeof main | typeof sub) =>
      (await by.call(accountApi.views, {})).data.map(({ name, query }) => [name, query])
    expect(await shown(main)).toEqual([
      ['a', 'state=offline'],
      ['华东离线', 'columns=&sort=name'],
    ])
    expect(await shown(sub)).toEqual([['华东离线', 'state=offline']])
    expect(await shown(other)).toEqual([])
    const [foreign] = (await sub.call(accountApi.views, {})).data
    for (const by of [main, other])
      expect(await by.call(accountApi.deleteView, { id: foreign!.id })).toMatchObject(refusal('SAVED_VIEW_NOT_FOUND'))
    expect(await sub.call(accountApi.deleteView, { id: foreign!.id })).toMatchObject({ code: 200, msg: '删除成功' })
    expect(await shown(sub)).toEqual([])
    expect((await selectAudits(main.accountId)).map(({ action }) => action)).toContain('delete_view')
  })

  it('are at most twenty, and replacing one needs no room', async () => {
    const main = await createMainAccount()
    for (let n = 1; n <= SAVED_VIEW.perPerson; n++) await main.call(accountApi.saveView, view(`视图${n}`))
    expect(await main.call(accountApi.saveView, view('多一个'))).toMatchObject(
      refusal('SAVED_VIEWS_FULL', { limit: SAVED_VIEW.perPerson }),
    )
    expect((await main.call(accountApi.saveView, view('视图7', 'sort=name'))).code).toBe(200)
    expect((await main.call(accountApi.views, {})).data).toHaveLength(SAVED_VIEW.perPerson)
  })

  it('have a name of 1 to 24 characters and a query that cannot leave the list', async () => {
    const main = await createMainAccount()
    const save = async (name: string, query?: string) => (await main.call(accountApi.saveView, view(name, query))).code
    expect(await save('字'.repeat(SAVED_VIEW.nameMax))).toBe(200)
    expect(await save('字'.repeat(SAVED_VIEW.nameMax + 1))).toBe(422)
    expect(await save(' ')).toBe(422)
    expect(await save('x', 'a=1#/logout')).toBe(422)
    expect(await save('x', 'a'.repeat(SAVED_VIEW.queryMax + 1))).toBe(422)
  })
})
