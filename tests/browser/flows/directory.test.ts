import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, inject, it } from 'vitest'
import { callEndpoint } from '#infra/local/api.ts'
import { clientApi } from '#contract/client/index.ts'
import { ldapApi } from '#contract/ldap/index.ts'
import { opsApi } from '#contract/ops/index.ts'
import { ldapModify } from '#tests/support/directory/ldap-modify.ts'
import { modifyEntry } from '#tests/support/directory/ldif.ts'
import { ADMIN, READER, SUFFIX, toPerson } from '#tests/support/directory/people.ts'
import { chooseFromMenu, chooseInRow, field, startSession, useBrowserHarness } from '../browser-harness.ts'
import { useDevices } from '../devices.ts'
import { FLOW_WIDTHS, expectSound } from '../inspector.ts'
import { networkApi } from '#contract/network/index.ts'

const directory = inject('directory')
const { origin, visitor } = useBrowserHarness()
const { ops, newAccount } = useDevices(origin)

const SEATS = 30
const confirmation = (page: Page) => page.getByRole('alertdialog')

// Without an installed slapd it is skipped: npm test says what to install.
it.skipIf(directory === null).each(FLOW_WIDTHS)(
  'a company connects its directory through a router, looks at the plan, imports, and takes it back (%i px)',
  async (width) => {
    const { ldapsPort, caFile } = directory!
    const account = await newAccount()
    const term = { start_time: Date.now() - 1_000, expired_time: Date.now() + 300 * 86_400_000 }
    for (const kind of ['network_member', 'software_member'] as const)
      await ops.call(opsApi.setService, { account: account.username, kind, name: '标准', quantity: SEATS, ...term })
    const { serial } = await account.start('NLD', 1, '机房路由', ['--directory', `127.0.0.1:${ldapsPort}`])
    const page = await visitor({ width })
    const token = await startSession(page, origin, account.username)
    const { network_number } = await callEndpoint(
      origin,
      '/api/v1',
      networkApi.create,
      { network_name: '员工网', center: [serial], point: [] },
      token,
    )

    await page.goto('/router/ldap')
    await page.getByRole('button', { name: '启用LDAP接入' }).click()
    await fillForm(page, ldapsPort, caFile)
    await field(page, '密码').fill('wrong')
    await page.getByRole('button', { name: '检测' }).click()
    await page.getByText('用户名或密码错误，请核对后重试').waitFor()
    await field(page, '密码').fill(READER.password)
    await page.getByRole('button', { name: '检测' }).click()
    await page.getByText('检测成功，请核对后保存配置').waitFor()
    const result = page.getByRole('region', { name: '检测结果' })
    for (const text of ['OpenLDAP', 'TLS 1.3', '2,000 个']) await result.getByText(text).waitFor()
    await expectSound(page, 'directory-check')
    await page.getByRole('button', { name: '保存' }).click()
    await page.waitForURL('**/router/ldap')

    await page.getByRole('button', { name: '查看同步计划' }).click()
    const plan = page.getByRole('dialog', { name: '同步计划' })
    await plan.getByRole('button', { name: `新增 ${SEATS}` }).waitFor()
    await plan.getByRole('button', { name: '不能导入' }).click()
    await plan.getByText('配额不足').first().waitFor()
    await page.keyboard.press('Escape')

    const person = toPerson(1)
    await page.getByRole('button', { name: '同步用户' }).click()
    const users = page.getByRole('dialog', { name: '同步用户' })
    await users.getByLabel('搜索成员名称或备注').fill(person.uid)
    const row = users.getByRole('row', { name: new RegExp(person.uid) })
    await row.getByText('可导入').waitFor()
    await row.getByRole('button', { name: /导入/ }).click()
    await confirmation(page).getByRole('button', { name: '导入', exact: true }).click()
    await users.getByText('已导入 1 个用户').waitFor()
    await row.getByText('已导入').waitFor()
    await users.getByRole('button', { name: '全部导入' }).click()
    await confirmation(page).getByRole('button', { name: '导入', exact: true }).click()
    await users.getByText(`已导入 ${SEATS - 1} 个用户`).waitFor()
    await expectSound(page, 'directory-users')
    await page.keyboard.press('Escape')

    // The member signs in with the directory's password, and stands in the network that was chosen.
    const name = `${person.uid}@${account.sign}`
    const login = (password: string) =>
      callEndpoint(origin, '/api/v1', clientApi.login, { username: name, password, os: 'linux', version: '1' }, '')
    await expect(login('wrong')).rejects.toThrow('用户名或密码错误')
    expect((await login(person.password)).access_token).not.toBe('')
    const members = await callEndpoint(origin, '/api/v1', networkApi.info, { network_number }, token)
    expect(members.member.map(({ router_name }) => router_name)).toContain(name)

    await page.goto(`/router/lists?type=2&search=${person.uid}`)
    const member = page.getByRole('row', { name: new RegExp(person.uid) })
    await member.getByRole('button', { name: /的更多操作$/ }).click()
    await page.getByRole('menuitem', { name: /^删除/ }).getByText('由目录管理，请在目录中修改').waitFor()
    await page.keyboard.press('Escape')
    await chooseInRow(page, member, '详情')
    await page.getByRole('button', { name: '目录用户' }).click()
    await users.getByText('已导入').first().waitFor()
    await page.keyboard.press('Escape')

    await page
      .getByRole('row', { name: new RegExp(`新增 ${SEATS - 1}`) })
      .getByRole('button', { name: '撤销' })
      .click()
    await confirmation(page).getByRole('button', { name: '撤销' }).click()
    await page.getByText('1 个', { exact: true }).waitFor()

    // A filter that hides the member: the first run of a changed configuration asks before it disables anybody.
    await page.goto('/router/ldap_edit?ldapType=edit')
    await page.getByText('自动同步', { exact: true }).click()
    await page.getByText('高级', { exact: true }).click()
    await field(page, '用户过滤条件').fill(`(!(uid=${person.uid}))`)
    await page.getByRole('button', { name: '检测' }).click()
    await page.getByText('检测成功，请核对后保存配置').waitFor()
    await page.getByRole('button', { name: '保存' }).click()
    await page.waitForURL('**/router/ldap')
    const runs = page.getByRole('region', { name: '同步记录' })
    await runs.getByRole('row', { name: /等待确认.*将停用 1/ }).waitFor()
    await page.getByText('警告', { exact: true }).waitFor()
    await expect(login(person.password)).rejects.toThrow('用户名或密码错误') // the filter counts at once
    await expectSound(page, 'directory-asking')
    await page.getByRole('button', { name: '确认停用' }).click()
    await confirmation(page).getByRole('button', { name: '停用 1 个成员' }).click()
    await runs.getByRole('row', { name: new RegExp(`已完成.*新增 ${SEATS - 1}，停用 1`) }).waitFor()
    await page.getByText('正常', { exact: true }).waitFor()
    await page.goto('/router/ldap?users=1')
    await users.getByText('当前为自动同步').waitFor()
    expect(await users.getByRole('button', { name: '全部移除' }).count()).toBe(0)
    await callEndpoint(origin, '/api/v1', ldapApi.syncMode, { sync_mode: 1 }, token)
    await page.goto('/router/ldap?users=1')
    await users.getByRole('button', { name: '全部移除' }).click()
    await confirmation(page).getByRole('button', { name: '移除', exact: true }).click()
    await users.getByText('已移除 1 个成员').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText(`${SEATS - 1} 个`, { exact: true }).waitFor()
    await callEndpoint(origin, '/api/v1', ldapApi.syncMode, { sync_mode: 2 }, token)
    await page.goto('/router/ldap')

    // Whom the directory disables, the next run disables, and the free seat is taken; one click removes the disabled.
    const { member: left } = await callEndpoint(origin, '/api/v1', networkApi.info, { network_number }, token)
    const leaver = left
      .map(({ router_name }) => /\.(\d{5})@/.exec(router_name)?.[1])
      .find((index) => index !== undefined)
    const { dn } = toPerson(Number(leaver))
    const disabled = modifyEntry(dn, { pwdAccountLockedTime: '000001010000Z' })
    await ldapModify({ ldapsPort, ...ADMIN, caFile }, disabled)
    await page.getByRole('button', { name: '立即同步' }).click()
    await runs.getByRole('row', { name: /已完成.*新增 1，停用 1/ }).waitFor()
    await page.getByText(`${SEATS} 个`, { exact: true }).waitFor()
    await page.getByRole('button', { name: '移除禁用成员' }).click()
    await confirmation(page).getByText('由目录导入、目录中已禁用的成员会被删除').waitFor()
    await confirmation(page).getByRole('button', { name: '移除', exact: true }).click()
    await page.getByText(`${SEATS - 1} 个`, { exact: true }).waitFor()

    await chooseFromMenu(page, 'LDAP接入', '关闭LDAP接入')
    await confirmation(page)
      .getByRole('textbox')
      .fill(String(SEATS - 1))
    await confirmation(page).getByRole('button', { name: '关闭接入' }).click()
    await page.getByText('尚未启用LDAP接入').waitFor()
    await expect(login(person.password)).rejects.toThrow('用户名或密码错误')

    // The closing is undone where its dialog says so, and the same people are back.
    await runs
      .getByRole('row', { name: /关闭接入/ })
      .getByRole('button', { name: '撤销' })
      .click()
    await confirmation(page).getByRole('button', { name: '撤销' }).click()
    await page.getByText(`LDAP接入已恢复，恢复 ${SEATS - 1}`).waitFor()
    await page.getByText(`${SEATS - 1} 个`, { exact: true }).waitFor()
    await runs.getByRole('row', { name: /撤销/ }).first().waitFor()
    await expectSound(page, 'directory-undone')
  },
)

it('a company has to prove its domain before its directory is reached by the internet', async () => {
  const account = await newAccount()
  const page = await visitor()
  await startSession(page, origin, account.username)
  const domain = `${account.sign}-nobody.com` // reserved names such as .example are no public ones
  await page.goto('/router/ldap')
  await page.getByRole('button', { name: '启用LDAP接入' }).click()
  for (const [label, text] of [
    ['域名', domain],
    ['地址', '10.0.0.5'],
    ['端口', '636'],
    ['Base DN', 'dc=qiming,dc=example'],
    ['用户名', 'cn=reader'],
    ['密码', 'reader-secret'],
  ] as const)
    await field(page, label).fill(text)
  await page.getByText('公共CA', { exact: true }).click()
  const check = () => page.getByRole('button', { name: '检测' }).click()
  await check()
  await page.getByText('公网模式仅支持公网地址').waitFor()
  await field(page, '地址').fill('ldap.elsewhere.com')
  await check()
  await page.getByText('地址必须是该域名或其子域名').waitFor()
  await field(page, '地址').fill(`ldap.${domain}`)
  await check()
  const proof = page.getByRole('dialog', { name: `验证域名“${domain}”` })
  const download = page.waitForEvent('download')
  await proof.getByRole('button', { name: '下载验证文件' }).click()
  const file = await download
  await proof.getByText(`https://${domain}/${file.suggestedFilename()}`).waitFor()
  expect(readFileSync(await file.path(), 'utf8')).toMatch(/^[\w-]{32,}$/)
  await proof.getByRole('button', { name: '验证', exact: true }).click()
  await proof
    .getByRole('alert')
    .getByText(/^域名尚未验证，请下载验证文件并放到域名根目录/)
    .waitFor()
  await expectSound(page, 'directory-domain')
  await page.keyboard.press('Escape')
  await page.getByText(/^域名尚未验证/).waitFor()
  await page.getByRole('button', { name: '下载验证文件' }).waitFor() // the field has its own steps
  await page.getByRole('button', { name: '验证', exact: true }).waitFor()
  expect(await field(page, '地址').inputValue()).toBe(`ldap.${domain}`)
})

async function fillForm(page: Page, port: number, caFile: string): Promise<void> {
  await page.getByText('内网', { exact: true }).click()
  await page.getByRole('combobox', { name: /硬件设备/ }).click()
  await page.getByRole('option', { name: /机房路由/ }).click()
  await field(page, '域名').fill('qiming.test')
  await field(page, '地址').fill('127.0.0.1')
  await field(page, '端口').fill(String(port))
  await field(page, 'Base DN').fill(SUFFIX)
  await page.locator('input[type=file]').setInputFiles(caFile)
  await page.getByText(/Netloom Test Directory CA/).waitFor()
  await field(page, '用户名').fill(READER.bindDn)
  await page.getByRole('combobox', { name: /关联组网/ }).click()
  await page.getByRole('option', { name: '员工网' }).click()
}
