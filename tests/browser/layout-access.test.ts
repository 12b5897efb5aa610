import { expect, it } from 'vitest'
import { startSession, useBrowserHarness } from './browser-harness.ts'
import { PAGE_WIDTHS, createInspector } from './inspector.ts'

const { origin, visitor } = useBrowserHarness()

it('directory 2 · access control, logs and the directory fit every width, and axe finds nothing moderate or worse, in light and dark', async () => {
  const page = await visitor()
  const { faults, inspect } = createInspector(page)
  await startSession(page, origin, 'demo01')
  const capture = async (name: string, path: string, text: string) => {
    await page.goto(path)
    await page.getByText(text, { exact: true }).first().waitFor()
    await inspect(name, PAGE_WIDTHS)
  }
  const captureLog = async (name: string, path: string) => {
    await page.goto(path)
    await page.getByRole('table').locator('tbody tr').first().waitFor()
    await inspect(name, PAGE_WIDTHS)
  }
  const captureDialog = async (name: string, button: string | RegExp, title: RegExp) => {
    await page.getByRole('button', { name: button }).first().click()
    const dialog = page.getByRole('dialog', { name: title })
    await dialog.waitFor()
    await inspect(name, PAGE_WIDTHS)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  }
  await capture('sub-accounts', '/ram/index', 'branch@demo01')
  await captureDialog('sub-account-create', '添加子账号', /^添加子账号$/)
  await captureDialog('sub-account-log', /的操作日志$/, /^操作日志/)
  await capture('roles', '/ram/role', '分支管理员')
  await captureDialog('role-create', '添加角色', /^添加角色$/)
  await captureDialog('role-edit', /^编辑/, /^编辑角色$/)
  await captureLog('log-logins', '/logs/software_login')
  await captureLog('log-online', '/logs/online')
  await captureLog('log-connect', '/logs/connect')
  await captureLog('log-audit', '/logs/audit?module=network')
  await captureDialog('log-audit-entry', /^(添加|创建|修改|设置|调整)/, /./)
  await capture('directory', '/router/ldap', '未启用')
  await capture('directory-create', '/router/ldap_edit?ldapType=create', '高级')
  expect(faults).toEqual([])
})
