import type { Page } from 'playwright-core'
import { chooseFromMenu, chooseMember, field } from './browser-harness.ts'
import type { Device } from './devices.ts'

// Steps of a user in the dialogs of a network, wrong input first.

export const NAME = '双中心组网'
export const [FIRST, SECOND, POINT] = ['中心甲', '中心乙', '门店一']

export async function build(page: Page): Promise<void> {
  await page.goto('/network/create')
  await field(page, '组网名称').fill(NAME)
  for (const note of [FIRST, SECOND]) await chooseMember(page, note!, '中心点')
  await chooseMember(page, POINT!)
  await page.locator('form').getByRole('button', { name: '创建组网' }).click()
  await page.waitForURL('**/network/detail?*')
}

/** Opens a setting of the network, behind 配置, or of the member whose panel is open. */
async function openSetting(page: Page, title: string) {
  const edit = page.getByRole('button', { name: `修改 ${title}`, exact: true })
  await edit.click()
  return page.getByRole('dialog').last()
}

export const openSettings = (page: Page) => page.getByRole('button', { name: '配置', exact: true }).click()

export async function closeSettings(page: Page): Promise<void> {
  const drawer = page.getByRole('dialog', { name: '组网配置' })
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'detached' })
}

type FormDialog = Awaited<ReturnType<typeof openSetting>>

async function choose(page: Page, dialog: FormDialog, label: string, option: string): Promise<void> {
  await dialog.getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

async function save(dialog: FormDialog): Promise<void> {
  await dialog.getByRole('button', { name: '保存' }).click()
  await dialog.getByRole('button', { name: '保存' }).waitFor({ state: 'detached' })
}

/** One router is chosen, the other one follows. */
export async function setRouting(page: Page): Promise<void> {
  const dialog = await openSetting(page, '路由方式')
  await dialog.getByText('主备路由', { exact: true }).click()
  await choose(page, dialog, '主路由', FIRST!)
  await dialog.getByRole('combobox', { name: '备路由' }).filter({ hasText: SECOND! }).waitFor()
  await save(dialog)
}

export async function addPrefix(page: Page): Promise<void> {
  const dialog = await openSetting(page, '网络号')
  await dialog.getByRole('button', { name: '添加一行' }).click()
  const row = dialog.getByRole('group', { name: '第 1 条' })
  await field(row, '网络号').fill('10.20.7.0')
  await field(row, '掩码').fill('33')
  await dialog.getByRole('button', { name: '保存' }).click()
  await row.getByText('掩码取值范围在8~32').waitFor()
  await field(row, '掩码').fill('16')
  await dialog.getByText('保存时将更正网络号：10.20.7.0/16 → 10.20.0.0/16').waitFor()
  await save(dialog)
}

export async function chooseCiphers(page: Page): Promise<void> {
  const dialog = await openSetting(page, '加密算法')
  await choose(page, dialog, '加密算法', '国密（SM4）')
  await save(dialog)
}

export async function openMember(page: Page, { serial }: Device): Promise<void> {
  await page.getByRole('group', { name: '展示方式' }).getByRole('button', { name: '成员' }).click()
  await page.getByRole('row').filter({ hasText: serial }).getByText('查看', { exact: true }).click()
  const panel = page.getByRole('complementary')
  await panel.getByRole('tab', { name: '概览' }).click()
  await panel.getByText(serial).waitFor()
  await panel.getByRole('tab', { name: '配置' }).click()
}

export async function advertiseDefaultRoute(page: Page): Promise<void> {
  const dialog = await openSetting(page, '默认路由')
  await dialog.getByText('通告', { exact: true }).click()
  await dialog.getByRole('button', { name: '保存' }).click()
  await dialog.getByText('请选择优先级').waitFor()
  await choose(page, dialog, '优先级', '1')
  await save(dialog)
}

export async function fixPorts(page: Page): Promise<void> {
  const dialog = await openSetting(page, '固定端口')
  const [hardware, software] = [
    dialog.getByRole('group', { name: '硬件服务' }),
    dialog.getByRole('group', { name: '软件服务' }),
  ]
  const fill = async (group: typeof hardware, text: string) => {
    for (const label of ['公网端口', '本地端口']) await field(group, label).fill(text)
  }
  await fill(hardware, '1024')
  await fill(software, '31195')
  await dialog.getByRole('button', { name: '保存' }).click()
  await dialog.getByText('设置范围应在1025~65535之间！').first().waitFor()
  await fill(hardware, '31195')
  await dialog.getByRole('button', { name: '保存' }).click()
  await dialog.getByText('硬件服务与软件服务的本地端口不能相同').waitFor()
  await fill(hardware, '31194')
  await save(dialog)
}

export async function chooseGateway(page: Page): Promise<void> {
  const dialog = await openSetting(page, '网段')
  const hardware = dialog.getByRole('group', { name: '硬件网段' })
  await field(hardware, '网段').fill('10.200.1.0')
  await dialog.getByRole('button', { name: '保存' }).click()
  await hardware.getByText('网段格式设置错误').waitFor()
  await field(hardware, '网段').fill('10.200.0.0')
  await save(dialog)
}

/** The wizard, from the list of networks. */
export async function order(page: Page, name = NAME): Promise<void> {
  await page.getByRole('link', { name: '组网列表' }).first().click()
  await page.getByRole('table', { name: '组网' }).waitFor()
  await chooseFromMenu(page, name, '接入POP')
  const areas = page.getByRole('group', { name: 'POP区域' })
  for (const area of ['上海', '成都', '广州']) await areas.getByText(area, { exact: true }).click()
  await page.getByRole('group', { name: '有效期' }).getByRole('button', { name: '1 年', exact: true }).click()
  await page.getByRole('group', { name: '常用带宽' }).getByRole('button', { name: '50 Mbps', exact: true }).click()
  await page.getByRole('button', { name: '下一步' }).click()
  await page.getByRole('grid', { name: '可选成员' }).getByText(POINT!, { exact: true }).dblclick()
  await page.getByRole('grid', { name: '上海的成员' }).getByText(POINT!, { exact: true }).waitFor()
  await page.getByRole('button', { name: '下一步' }).click()
  await page.getByRole('button', { name: '提交' }).click()
  await page.getByText('提交成功').first().waitFor()
  await page.waitForURL('**/network/lists')
}

export async function assignAreas(page: Page, name = NAME): Promise<void> {
  await page.reload() // the operator's step is no call of this tab
  await chooseFromMenu(page, name, 'POP配置')
  const select = async (label: string, option: string) => {
    await page.getByRole('combobox', { name: `${POINT} 的${label}` }).click()
    await page.getByRole('option', { name: option, exact: true }).click()
  }
  await page
    .getByRole('combobox', { name: `${POINT} 的主区域` })
    .filter({ hasText: '上海' })
    .waitFor() // as ordered
  await select('备区域', '成都')
  await select('优先级', '1')
  await page.getByRole('button', { name: '保存' }).click()
  await page.waitForURL('**/network/detail?*')
}
