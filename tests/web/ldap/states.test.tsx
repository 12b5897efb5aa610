import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { LdapPage } from '#pages/ldap/overview/ldap-page.tsx'
import { LDAP_REPLIES } from '#tests/support/ldap-replies.ts'
import { openPage } from '../network/open-page.tsx'

/** A part of the page, its read, how a person gets there, and a text that it shows once it is there. */
const PARTS = [
  {
    path: 'ldap/sync_status',
    at: '/router/ldap',
    find: async () => within((await screen.findByRole('heading', { name: '同步状态' })).closest('section')!),
    shown: '查看同步计划',
  },
  {
    path: 'ldap/plan',
    at: '/router/ldap',
    find: async () => {
      await userEvent.click(await screen.findByRole('button', { name: '查看同步计划' }))
      return within(await screen.findByRole('dialog', { name: '同步计划' }))
    },
    shown: /lisi/,
  },
  {
    path: 'ldap/user',
    at: '/router/ldap?users=1',
    find: async () => within(await screen.findByRole('dialog', { name: '同步用户' })),
    shown: /zhangsan/,
  },
] as const

describe('directory 2 · parts of the page that wait or fail', () => {
  it.each(PARTS)('$path: a failure says why and is tried again', async ({ path, at, find, shown }) => {
    const { api } = openPage(<LdapPage />, at, { ...LDAP_REPLIES, [path]: { code: 500, msg: '服务暂时不可用' } })
    const part = await find()
    const retry = await screen.findByRole('button', { name: '重试' }) // of the page where its parts failed together
    expect(screen.getByText(/服务暂时不可用/)).toBeTruthy()
    api.set(path, LDAP_REPLIES[path])
    await userEvent.click(retry)
    expect((await part.findAllByText(shown)).length).toBeGreaterThan(0)
    expect(screen.queryByRole('button', { name: '重试' })).toBeNull()
  })

  it.each(PARTS)('$path: while it is read neither a value nor an empty state is shown', async ({ path, at, find }) => {
    let answer = () => {}
    const answered = new Promise<void>((resolve) => (answer = resolve))
    openPage(<LdapPage />, at, { ...LDAP_REPLIES, [path]: () => answered.then(() => LDAP_REPLIES[path]) })
    const part = await find()
    const isBusy = () => part.queryByRole('status', { name: '加载中' }) ?? part.queryByRole('table', { busy: true })
    expect(isBusy()).not.toBeNull()
    expect(part.queryByText(/目录中没有用户|没有这类改动|暂无/)).toBeNull()
    answer()
    await expect.poll(isBusy).toBeNull()
  })

  it('users: nothing is imported or removed before a listing is there', async () => {
    openPage(<LdapPage />, '/router/ldap?users=1', {
      ...LDAP_REPLIES,
      'ldap/user': { code: 500, msg: '服务暂时不可用' },
    })
    const dialog = within(await screen.findByRole('dialog', { name: '同步用户' }))
    await dialog.findByRole('button', { name: '重试' })
    for (const name of ['全部导入', '全部移除'])
      expect(dialog.getByRole('button', { name })).toHaveProperty('disabled', true)
  })

  it('users: one that cannot be imported says why in place of a failure', async () => {
    openPage(<LdapPage />, '/router/ldap?users=1', LDAP_REPLIES)
    const row = within(await screen.findByRole('row', { name: /名称不合规/ }))
    const button = row.getByRole('button', { name: /导入/ })
    expect([button.getAttribute('aria-disabled'), button.closest('tr')?.textContent]).toEqual([
      'true',
      expect.stringContaining('名称不合规'),
    ])
  })

  it('users: each has its result of the check, in words', async () => {
    const [first] = LDAP_REPLIES['ldap/user'].data
    const twice = { ...first!, uuid: 'u5', username: 'zhaoliu', verify: '手机号重复' }
    const { data, ...rest } = LDAP_REPLIES['ldap/user']
    openPage(<LdapPage />, '/router/ldap?users=1', {
      ...LDAP_REPLIES,
      'ldap/user': { data: [...data, twice], ...rest, count: 5 },
    })
    const dialog = within(await screen.findByRole('dialog', { name: '同步用户' }))
    for (const result of ['已导入', '可导入', '目录中已删除', '名称不合规', '手机号重复'])
      expect(await dialog.findByText(result, { selector: 'td' })).toBeTruthy()
  })
})
