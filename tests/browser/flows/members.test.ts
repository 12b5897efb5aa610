import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { callEndpoint } from '#infra/local/api.ts'
import { clientApi } from '#contract/client/index.ts'
import { opsApi } from '#contract/ops/index.ts'
import { createMemberFile } from '#tests/support/workbooks.ts'
import { chooseInRow, field, openFromMenu, startSession, useBrowserHarness } from '../browser-harness.ts'
import { useDevices } from '../devices.ts'
import { FLOW_WIDTHS, expectSound } from '../inspector.ts'

const { origin, visitor } = useBrowserHarness()
const { ops, newAccount } = useDevices(origin)

const SEATS = 10
const PASSWORD = 'Weilai26'
const HEADER = ['账号', '密码', '国家代码', '手机号码', '备注']

const table = (page: Page, label: string) => page.getByRole('table', { name: label, exact: true })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
const press = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true }).click()
const selection = (page: Page) => page.getByRole('region', { name: '已选内容' })

/** The list shows these names and no others, in any order. */
const expectNames = (page: Page, label: string, names: readonly string[]) =>
  expect
    .poll(async () => (await table(page, label).locator('tbody .nl-identity-name').allInnerTexts()).toSorted())
    .toEqual(names.toSorted())

async function submit(form: Locator, verb: string, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, text] of Object.entries(values)) await field(form, label).fill(text)
  await press(form, verb)
}

async function expectRefused(page: Page, label: string, message: string): Promise<void> {
  const place = page.locator('.nl-field').filter({ has: field(page, label) })
  await place.getByRole('alert').getByText(message, { exact: true }).waitFor()
}

async function select(page: Page, names: readonly string[]): Promise<void> {
  for (const name of names) await page.getByRole('checkbox', { name: `选择 ${name}`, exact: true }).check()
  await selection(page).getByText(`已选 ${names.length} 项`).waitFor()
}

it.each(FLOW_WIDTHS)(
  'members are added by code, form and workbook, found, renamed, and deleted together; wrong input is named in its place (%i px)',
  async (width) => {
    const account = await newAccount()
    const term = { start_time: Date.now() - 1_000, expired_time: Date.now() + 300 * 86_400_000 }
    const seats = { kind: 'software_member', name: '标准', quantity: SEATS, ...term } as const
    await ops.call(opsApi.setService, { account: account.username, ...seats })
    await account.claim('NLC', 1, '总部机房')
    const page = await visitor({ width })
    await startSession(page, origin, account.username)
    await page.goto('/dashboard')
    await openFromMenu(page, '成员管理', '成员列表')
    await expectNames(page, '硬件成员', ['总部机房'])
    await addHardware(page, `NLD${account.sign.slice(1, 6).toUpperCase()}`)

    const directory = page.waitForResponse(/\/ldap\/status/) // adds a button, which moves the others
    await page.getByRole('tab', { name: '软件成员' }).click()
    await directory
    const names = (...expected: readonly string[]) => expectNames(page, '软件成员', expected)
    await addByForm(page)
    await names('前台')
    await addByFile(page)
    await names('前台', '财务', '仓库', '司机')
    await page.getByText(`软件成员 4 / ${SEATS}`).waitFor()

    const search = page.getByLabel('搜索账号、备注或手机')
    await search.fill('chen')
    await names('财务')
    await chooseInRow(page, table(page, '软件成员').getByRole('row').filter({ hasText: 'chen.jie' }), '备注')
    await submit(dialog(page, '修改备注'), '保存', { 备注: '财务主管' })
    await names('财务主管')
    await search.fill('')
    await names('前台', '财务主管', '仓库', '司机')

    const login = (name: string) => {
      const typed = { username: `${name}@${account.sign}`, password: PASSWORD, os: 'linux', version: '1' } as const
      return callEndpoint(origin, '/api/v1', clientApi.login, typed)
    }
    for (const name of ['chen.jie', 'liu.yang']) expect((await login(name)).access_token).not.toBe('')
    await deleteTogether(page, ['仓库', '司机'])
    await names('前台', '财务主管')
    await page.reload()
    await names('前台', '财务主管')
    await page.getByText(`软件成员 2 / ${SEATS}`).waitFor()
    expect((await login('chen.jie')).access_token).not.toBe('')
    await expect(login('liu.yang')).rejects.toThrow('用户名或密码错误')
  },
)

async function addHardware(page: Page, serial: string): Promise<void> {
  const { activation_code } = await ops.call(opsApi.provisionDevice, { serial, model: 'NL-R220' })
  await press(page, '添加硬件成员')
  const form = dialog(page, '添加硬件成员')
  await submit(form, '添加', { 序列号: serial, 激活码: 'ABCDEFGH2345', 备注: '门店一' })
  await expectRefused(page, '激活码', '序列号或激活码不正确')
  await submit(form, '添加', { 激活码: activation_code })
  await expectNames(page, '硬件成员', ['总部机房', '门店一'])
  await select(page, ['总部机房', '门店一'])
  await press(selection(page), '修改备注')
  await submit(dialog(page, '修改 2 个成员的备注'), '保存', { 备注: '华东' })
  await expectNames(page, '硬件成员', ['华东', '华东'])
  await page.reload()
  await expectNames(page, '硬件成员', ['华东', '华东'])
  await table(page, '硬件成员').getByRole('row').filter({ hasText: serial }).waitFor()
}

async function addByForm(page: Page): Promise<void> {
  await page.getByRole('button', { name: '添加软件成员', exact: true }).first().click() // an empty list offers it, too
  const form = dialog(page, '添加软件成员')
  await submit(form, '添加', { 账号: '前台', 密码: PASSWORD, 备注: '前台' })
  await expectRefused(page, '账号', '名称不能包含特殊字符和中文')
  await submit(form, '添加', { 账号: 'qian.tai' })
}

async function addByFile(page: Page): Promise<void> {
  const [form, result] = [dialog(page, '批量添加软件成员'), dialog(page, '批量添加的结果')]
  const upload = async (passwordOfLiu: string) => {
    const row = (name: string, note: string, password = PASSWORD) => [name, password, '', '', note]
    const rows = [row('chen.jie', '财务'), row('liu.yang', '仓库', passwordOfLiu), row('sun.hao', '司机')]
    const file = await createMemberFile([HEADER, ...rows])
    const buffer = Buffer.from(await file.arrayBuffer())
    await form.locator('input[type=file]').setInputFiles({ name: file.name, mimeType: file.type, buffer })
    await press(form, '添加')
    await result.waitFor()
    return [await result.getByRole('status').innerText(), ...(await result.locator('tbody tr').allTextContents())]
  }
  await chooseInRow(page, page.locator('.nl-page-verbs'), '批量添加')
  expect(await upload('12345')).toEqual([
    '共 3 条：成功 0，失败 3',
    '第3行 liu.yang失败密码为6-18位字母或数字',
    ...['第2行 chen.jie', '第4行 sun.hao'].map((name) => `${name}失败其他行有误，未添加`),
  ])
  await expectSound(page, 'members-refused')
  await press(result, '重新上传')
  const added = ['第2行 chen.jie', '第3行 liu.yang', '第4行 sun.hao'].map((name) => `${name}成功—`)
  expect(await upload(PASSWORD)).toEqual(['共 3 条：成功 3，失败 0', ...added])
  await press(result, '完成')
}

async function deleteTogether(page: Page, names: readonly string[]): Promise<void> {
  await select(page, names)
  await press(selection(page), '批量删除')
  const question = page.getByRole('alertdialog', { name: `删除 ${names.length} 个软件成员？` })
  const confirm = question.getByRole('button', { name: `删除 ${names.length} 个成员` })
  await question.getByRole('textbox').fill('删除')
  expect(await confirm.isDisabled()).toBe(true)
  await question.getByRole('textbox').fill('确认操作')
  await confirm.click()
  const report = page.getByRole('dialog', { name: '删除软件成员的结果' })
  await report.getByText(`共 ${names.length} 条`).waitFor()
  await page.keyboard.press('Escape')
  await report.waitFor({ state: 'hidden' })
}
