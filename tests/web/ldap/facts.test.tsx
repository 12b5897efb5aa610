import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { LdapPage } from '#pages/ldap/overview/ldap-page.tsx'
import { HASH, LDAP_CONFIG, LDAP_REPLIES } from '#tests/support/ldap-replies.ts'
import { chooseAction } from '../lib/row-menu.ts'
import { openPage } from '../network/open-page.tsx'

const open = (over: object = {}, address = '/router/ldap') =>
  openPage(<LdapPage />, address, {
    ...LDAP_REPLIES,
    'ldap/config': { ...LDAP_REPLIES['ldap/config'], data: { ...LDAP_CONFIG, ...over } } as object,
    'ldap/remove': { data: { ...LDAP_REPLIES['ldap/sync_status'].data.run.counts, result: [] } },
  })

/** Names and values of one panel. */
async function factsOf(title: string): Promise<Readonly<Record<string, string | null>>> {
  const panel = (await screen.findByRole('heading', { name: title })).closest('section')!
  await within(panel).findByText('同步方式')
  return Object.fromEntries(
    [...panel.querySelectorAll('dt')].map((name) => [name.textContent, name.nextElementSibling!.textContent]),
  )
}

describe('directory 2 · what the page says of a directory', () => {
  it('the configuration of the public mode, with the file of its certificate', async () => {
    open()
    expect(await factsOf('接入配置')).toEqual({
      模式: '公网',
      域名: 'acme.example',
      地址: 'ldap.acme.example',
      端口: '636',
      'Base DN': 'dc=acme,dc=example',
      加密: 'SSL（LDAPS）',
      CA证书: 'acme-ca.pem',
      用户名: 'cn=reader,dc=acme,dc=example',
      密码: '******',
      用户过滤条件: '(objectClass=person)',
      用户名属性: 'uid',
      手机号属性: 'mobile',
      关联组网: '总部与分支互联',
      同步方式: '手动同步',
    })
  })

  it('of the private mode its device; without SSL no certificate, without a network 未关联', async () => {
    open({ mode: 'private', router_name: 'NL1', router_note: '机房路由', use_ssl: 0, network_name: '', sync_mode: 2 })
    const facts = await factsOf('接入配置')
    expect(facts).toMatchObject({ 模式: '内网', 加密: '未启用', 关联组网: '未关联', 同步方式: '自动同步' })
    expect([facts['硬件设备'], facts['CA证书']]).toEqual(['机房路由', undefined])
  })

  it('of an automatic synchronisation its last reading, state, cycle in minutes and execution in seconds', async () => {
    open({ sync_mode: 2 })
    expect(await factsOf('同步状态')).toEqual({
      由目录导入的成员: '3 个',
      同步方式: '自动同步',
      上次读取: '成功2026-11-20 09:00:00demo01',
      自动同步: '正常',
      同步周期: '60 分钟',
      执行时间: '2 秒',
    })
  })

  it('offers to synchronise users, to edit, to set the mode and to close', async () => {
    const { router } = open()
    await screen.findByRole('button', { name: '同步用户' })
    await userEvent.click(screen.getByRole('button', { name: 'LDAP接入 的更多操作' }))
    const items = (await screen.findAllByRole('menuitem')).map((item) => item.textContent)
    expect(items).toEqual(['设置同步方式', '关闭LDAP接入'])
    await userEvent.keyboard('{Escape}')
    await userEvent.click(screen.getByRole('button', { name: '编辑配置' }))
    expect(router.state.location).toMatchObject({ pathname: '/router/ldap_edit', search: '?ldapType=edit' })
  })
})

describe('directory 2 · removal of one user', () => {
  it('deletes one who is imported and disabled after a question', async () => {
    const { api } = open({}, '/router/ldap?users=1')
    await chooseAction(within(await screen.findByRole('row', { name: /wangwu/ })), '删除')
    const dialog = within(await screen.findByRole('alertdialog'))
    expect(dialog.getByText(/^是否确定删除\? /)).toBeTruthy()
    expect(api.last('ldap/remove')).toBeUndefined()
    await userEvent.click(dialog.getByRole('button', { name: '移除' }))
    await waitFor(() => expect(api.last('ldap/remove')?.input).toEqual({ hash: HASH, uuid: ['u3'] }))
  })
})
