import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { accountApi } from '#contract/account/index.ts'
import { contactsApi } from '#contract/contacts/index.ts'
import { networkApi } from '#contract/network/index.ts'
import { opsApi } from '#contract/ops/index.ts'
import { ramApi } from '#contract/ram/index.ts'
import { ramRoleApi } from '#contract/ram-role/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { consoleCalls, outboxItem } from '#infra/local/api.ts'
import { findOffenders } from '#tests/support/offenders.ts'
import { chooseFromMenu, field, openPublicPage, startSession, useBrowserHarness } from './browser-harness.ts'
import { useDevices } from './devices.ts'

/* Fields and forms with every kind of paste, by the clipboard and the keys of a real browser. */

const { origin, visitor } = useBrowserHarness()
const { ops, newAccount } = useDevices(origin)

const refused = (sentence: string) => ({ refused: sentence })
const PHONE_BAD = refused('请输入正确的手机号码')
const OTP_LENGTH = refused('验证码长度必须为6位')

/** Label of the field, text on the clipboard, and the value that is stored or the sentence that refuses it. */
const PASTES: readonly (readonly [label: string, name: string, typed: string, read: unknown])[] = [
  ['粘贴手机', 'phone', '13800138000', '86 13800138000'],
  ['粘贴手机', 'phone', ' 138 0013 8000\n', '86 13800138000'],
  ['粘贴手机', 'phone', '138-0013-8000', '86 13800138000'],
  ['粘贴手机', 'phone', '138–0013—8000', '86 13800138000'],
  ['粘贴手机', 'phone', '\u202D13800138000\u202C', '86 13800138000'],
  ['粘贴手机', 'phone', '１３８００１３８０００', '86 13800138000'],
  ['粘贴手机', 'phone', '8613800138000', '86 13800138000'],
  ['粘贴手机', 'phone', '0086 138 0013 8000', '86 13800138000'],
  ['粘贴手机', 'phone', '+852 9123 4567', '852 91234567'],
  ['粘贴手机', 'phone', '9123 4567', '852 91234567'], // the select stays at the dial code of the paste before
  ['粘贴手机', 'phone', '+44 (0)7911 123456', '44 7911123456'],
  ['粘贴手机', 'phone', '07911 123456', '44 7911123456'],
  ['粘贴手机', 'phone', '+86 138 0013 8000', '86 13800138000'],
  ['粘贴手机', 'phone', '+852 9123 456', PHONE_BAD],
  ['粘贴手机', 'phone', '138001380001', PHONE_BAD],
  ['粘贴手机', 'phone', '13800138000 13900139000', PHONE_BAD],
  ['粘贴短信验证码', 'otp', '123456', '123456'],
  ['粘贴短信验证码', 'otp', ' 123 456 ', '123456'],
  ['粘贴短信验证码', 'otp', '１２３-４５６', '123456'],
  ['粘贴短信验证码', 'otp', '【启明】验证码：123456，10分钟内有效', '123456'],
  ['粘贴短信验证码', 'otp', '1234567', OTP_LENGTH],
  ['动态验证码', 'totp', '123 456', '123456'],
  ['动态验证码', 'totp', '1234567', OTP_LENGTH],
  ['恢复码', 'recovery_code', ' abcde–23456\u200B', 'ABCDE23456'],
  ['恢复码', 'recovery_code', 'ＡＢＣＤＥ－２３４５６', 'ABCDE23456'],
  ['恢复码', 'recovery_code', 'ABCDE-23456-7', refused('恢复码为10位字母和数字，请核对')],
  ['粘贴图形验证码', 'captcha', ' K7 pw', 'K7pw'],
  ['粘贴图形验证码', 'captcha', 'Ｋ７ｐｗ', 'K7pw'],
  ['粘贴图形验证码', 'captcha', 'K7pw9', refused('验证码的长度必须为4位')],
  ['粘贴激活码', 'activation', '激活码：abcd efgh–2345', 'ABCD-EFGH-2345'],
  ['粘贴激活码', 'activation', 'ＡＢＣＤ－ＥＦＧＨ－２３４５', 'ABCD-EFGH-2345'],
  ['粘贴激活码', 'activation', 'ABCD-EFGH-2345-6', refused('激活码不完整')],
  ['粘贴序列号', 'serial', '\uFEFF NL22S033\u00A0', 'NL22S033'],
  ['粘贴序列号', 'serial', 'ＮＬ２２Ｓ０３３', 'NL22S033'],
  ['粘贴序列号', 'serial', 'N'.repeat(65), refused('序列号过长')],
  ['粘贴邮箱', 'email', ' li＠vip。163．com\u200B', 'li@vip.163.com'],
  ['粘贴邮箱', 'email', '李娜 <li@b.cn>', refused('请输入正确的邮箱')],
  ['粘贴邮箱', 'email', `${'a'.repeat(60)}@b.com`, refused('邮箱不能超过64个字符')],
  ['粘贴地址', 'address', '\u202D１０。1．2.3\u202C', '10.1.2.3'],
  ['粘贴DN', 'dn', '\u202Dcn=李，娜,dc=acme\u202C ', 'cn=李，娜,dc=acme'],
  ['粘贴DN', 'dn', `cn=${'a'.repeat(300)}`, `cn=${'a'.repeat(300)}`],
  ['粘贴昵称', 'nickname', '\u200B阿卜杜·买买提 ', '阿卜杜·买买提'],
  ['粘贴昵称', 'nickname', '阿'.repeat(13), refused('昵称长度2-12字符，由中文,英文,数字组成')],
  ['粘贴备注', 'note', '门店\u3164👨‍👩‍👧‍👦\u202E', '门店👨‍👩‍👧‍👦'],
  ['粘贴备注', 'note', '\u2800\u3164', ''],
  ['粘贴备注', 'note', '长'.repeat(25), refused('备注不能超过24个字符')],
  ['粘贴说明', 'remark', '上海\u200B总部', '上海总部'],
  ['粘贴端口', 'port', ' ２０００１ ', 20_001],
  ['粘贴端口', 'port', '0x4e21', refused('设置范围应在1025~65535之间！')],
  ['粘贴端口', 'port', '2000.1', refused('设置范围应在1025~65535之间！')],
  ['粘贴端口', 'port', '2e4', refused('设置范围应在1025~65535之间！')],
  ['粘贴密码', 'password', ' 前后空格 Ａ1 ', ' 前后空格 Ａ1 '], // a secret is never cleaned
  ['粘贴密码', 'password', 'x'.repeat(24), refused('密码长度6-18位')],
  ['粘贴密钥', 'secret', 'S'.repeat(201), refused('密钥不能超过200个字符')],
  ['粘贴密钥', 'secret', `SEC${'a'.repeat(64)}`, `SEC${'a'.repeat(64)}`],
  ['粘贴日期', 'day', '２０２６年１月３日', '2026-01-03'],
  ['粘贴日期', 'day', ' 2026–1–3 ', '2026-01-03'],
]

/** Ends of ranges, which show what was read, or keep the text beside its sentence. */
const RANGE_PASTES: readonly (readonly [label: string, typed: string, shown: string, sentence?: string])[] = [
  ['开始日期', '２０２６年１月３日', '2026-01-03'],
  ['结束日期', ' 2026–1–5\u200B', '2026-01-05'],
  ['结束日期', '2026-02-30', '2026-02-30', '结束日期不正确，请按 yyyy-MM-dd 填写'],
  ['开始时间', '２０２６/１/３　８：０５', '2026-01-03 08:05'],
  ['结束时间', '\u202D2026年1月3日 9点30分\u202C', '2026-01-03 09:30'],
  ['结束时间', '2026-01-03 25:00', '2026-01-03 25:00', '结束时间不正确，请按 yyyy-MM-dd HH:mm 填写'],
]

async function openClipboard(): Promise<Page> {
  const page = await visitor()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  return page
}

async function paste(page: Page, input: Locator, text: string): Promise<void> {
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
  await input.focus()
  await page.keyboard.press('Control+A')
  await page.keyboard.press('Control+V')
}

it('what is pasted is what is stored, or a sentence refuses it; nothing is cut', async () => {
  const page = await openClipboard()
  await page.goto('/__local/kit')
  const output = page.getByRole('status', { name: '读出的值' })
  await output.waitFor()
  const form = page.locator('form', { has: output })
  const offenders = await findOffenders(PASTES)(async (label, name, typed, read) => {
    await paste(page, field(form, label), typed)
    await page.keyboard.press('Tab')
    await expect
      .poll(async () => (JSON.parse(await output.innerText()) as Record<string, unknown>)[name], { timeout: 2_000 })
      .toEqual(read)
    const isMarked = typeof read === 'object' && name !== 'phone' // the sample marks it with its pair alone
    expect(await field(form, label).getAttribute('aria-invalid')).toBe(String(isMarked))
  })
  expect(offenders).toEqual([])
  const ranges = await findOffenders(RANGE_PASTES)(async (label, typed, shown, sentence) => {
    const range = page.getByRole('group', { name: label.endsWith('日期') ? '粘贴日期范围' : '粘贴时间范围' })
    await paste(page, field(range, label), typed)
    await page.keyboard.press('Tab')
    await expect.poll(() => field(range, label).inputValue(), { timeout: 2_000 }).toBe(shown)
    if (sentence !== undefined) await range.getByText(sentence).waitFor()
  })
  expect(ranges).toEqual([])
  expect(await page.locator('[maxlength]').count()).toBe(0)
})

const random = (length: number): string => String(Math.random()).slice(2, 2 + length)
const fullWidth = (text: string): string =>
  text.replace(/[!-~]/g, (char) => String.fromCodePoint(char.charCodeAt(0) + 0xfee0))

async function fillIn(page: Page, within: Page | Locator, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, text] of Object.entries(values)) await paste(page, field(within, label), text)
}
const press = (within: Page | Locator, name: string) =>
  within.getByRole('button', { name, exact: true }).first().click()
const says = (within: Page | Locator, sentence: string) => within.getByText(sentence, { exact: true }).first().waitFor()

it('registers with the number that was pasted, and signs in by another spelling of it', async () => {
  const number = `9${random(7)}`
  const page = await openClipboard()
  const captcha = await openPublicPage(page, origin, '/register')
  await fillIn(page, page, {
    昵称: ' 阿卜杜·买买提\u200B',
    用户名: fullWidth(`reg${random(8)}`),
    密码: 'Fresh2026',
    确认密码: 'Fresh2026',
    手机号码: `+852 ${number.slice(0, 4)} ${number.slice(4)}`,
    图形验证码: ` ${captcha.slice(0, 2)} ${captcha.slice(2)}`,
  })
  expect(await field(page, '手机号码').inputValue()).toBe(number)
  await press(page, '获取验证码')
  await page.getByRole('button', { name: /\d+秒后重试/ }).waitFor()
  const { text } = await outboxItem(origin, 'sms', { to: `+852 ${number}` })
  await fillIn(page, page, { 手机验证码: text })
  await page.locator('.semi-checkbox-inner-display').click()
  await press(page, '注册')
  await says(page, '注册成功')

  await page.waitForURL('**/dashboard')
  const other = await openClipboard()
  const login = await openPublicPage(other, origin, '/login')
  await fillIn(other, other, { 用户名: ` 00852-${fullWidth(number)} `, 密码: 'Fresh2026', 验证码: fullWidth(login) })
  await other.keyboard.press('Enter')
  await other.waitForURL('**/dashboard')
})

it('eight forms of the console store what was pasted, or say why not', async () => {
  const account = await newAccount({ quagga: 1, quagga_advanced: 1 })
  const term = { start_time: Date.now() - 1_000, expired_time: Date.now() + 86_400_000 }
  for (const kind of ['software_member', 'network_member', 'sub_account'] as const)
    await ops.call(opsApi.setService, { account: account.username, kind, name: '标准', quantity: 5, ...term })
  const call = consoleCalls(origin, () => ops.signIn(account.username))
  const center = await account.claim('NLP', 1, '总部')
  const { network_number } = await call(networkApi.create, {
    network_name: '生产网',
    center: [center.serial],
    point: [],
  })
  await call(ramRoleApi.create, { name: '值班', note: '', auth: ROLE })
  const page = await openClipboard()
  await startSession(page, origin, account.username)
  const dialog = (name: string) => page.getByRole('dialog', { name, exact: true })

  // a software member: the number of the paste, not that of somebody else
  await page.goto('/router/lists?type=2')
  await press(page, '添加软件成员')
  const member = dialog('添加软件成员')
  await fillIn(page, member, {
    账号: ' li.na\u200B',
    密码: 'x'.repeat(24),
    手机号码: '+852 9123 4567',
    备注: '门店\u3164👨‍👩‍👧‍👦',
  })
  await press(member, '添加')
  await says(member, '长度在 6 到 18 个字符')
  await fillIn(page, member, { 密码: 'Weilai26' })
  await press(member, '添加')
  await member.waitFor({ state: 'detached' })
  expect(await call(routerApi.info, { router_name: `li.na@${account.sign}` })).toMatchObject({
    area_code: '852',
    phone: '91234567',
    note: '门店👨‍👩‍👧‍👦',
  })

  // a device by its label and its box
  const serial = `NLQ${account.sign.slice(1, 6).toUpperCase()}`
  const { activation_code } = await ops.call(opsApi.provisionDevice, { serial, model: 'NL-R220' })
  await page.goto('/router/lists')
  await press(page, '添加硬件成员')
  const device = dialog('添加硬件成员')
  await fillIn(page, device, {
    序列号: `\uFEFF${fullWidth(serial)} `,
    激活码: `激活码：${activation_code.toLowerCase().replaceAll('-', '–')}`,
  })
  await press(device, '添加')
  await device.waitFor({ state: 'detached' })
  expect((await call(routerApi.info, { router_name: serial })).router_name).toBe(serial)

  // a contact
  await page.goto('/account/contacts')
  await press(page, '添加联系人')
  const contact = dialog('添加联系人')
  await fillIn(page, contact, { 名称: '\u2800网络\u00A0值班\u202C', 邮箱: '"li na"@b.cn' })
  await press(contact, '添加')
  await says(contact, '请输入正确的邮箱')
  await fillIn(page, contact, { 邮箱: ` li${random(6)}＠vip。163．com\u200B` })
  await press(contact, '添加')
  await contact.waitFor({ state: 'detached' })
  const [added] = await call(contactsApi.lists, {})
  expect([added?.name, added?.email]).toEqual(['网络 值班', expect.stringMatching(/^li\d+@vip\.163\.com$/)])

  // the profile
  await page.goto('/account/info')
  await fillIn(page, page, { 昵称: '\u202D阿卜杜•买买提 ', 生日: '１９９０年１月３１日', 职业: ' 工程师\u200B' })
  await page.getByRole('combobox', { name: '行业' }).click()
  await page.getByRole('option', { name: '制造业' }).click()
  await press(page, '保存')
  await says(page, '保存成功')
  expect(await call(accountApi.data, {})).toMatchObject({
    nickname: '阿卜杜•买买提',
    birthday: '1990-01-31',
    occupation: '工程师',
  })

  // a sub-account
  await page.goto('/ram/index')
  await press(page, '添加子账号')
  const ram = dialog('添加子账号')
  await fillIn(page, ram, { 账号: fullWidth(' desk'), 昵称: '值班员\u200B', 密码: 'Weilai26' })
  await ram.getByRole('combobox', { name: '角色' }).click()
  await page.getByRole('option', { name: '值班' }).click()
  await press(ram, '添加')
  await ram.waitFor({ state: 'detached' })
  expect((await call(ramApi.lists, {})).map(({ username, nickname }) => [username, nickname])).toEqual([
    ['desk', '值班员'],
  ])

  // prefixes
  await page.goto(`/network/detail?network_number=${network_number}`)
  await press(page, '配置')
  await page.getByRole('button', { name: '修改 网络号' }).click()
  const prefixes = dialog('设置网络号')
  for (const place of [1, 2]) {
    await press(prefixes, '添加一行')
    await prefixes.getByRole('group', { name: `第 ${place} 条` }).waitFor()
  }
  const [outer, inner] = [
    prefixes.getByRole('group', { name: '第 1 条' }),
    prefixes.getByRole('group', { name: '第 2 条' }),
  ]
  await fillIn(page, outer, { 网络号: '１０。０．０．０', 掩码: '０x8' })
  await fillIn(page, inner, { 网络号: '127.0.0.0', 掩码: ' 16 ' })
  await press(prefixes, '保存')
  await says(outer, '掩码取值范围在8~32')
  await fillIn(page, outer, { 掩码: '８' })
  await press(prefixes, '保存')
  await inner.getByText('127.0.0.0/8、169.254.0.0/16和224.0.0.0/4内的地址不会被转发，请重新填写').waitFor()
  await fillIn(page, inner, { 网络号: '\u202D10.1.0.0\u202C' })
  await prefixes.getByText('第 2 条 10.1.0.0/16 已包含在第 1 条 10.0.0.0/8 中，不影响结果，可以删除').waitFor()
  await press(prefixes, '保存')
  await prefixes.waitFor({ state: 'detached' })
  expect((await call(networkApi.prefix, { network_number })).map(({ ip, mask }) => `${ip}/${mask}`)).toEqual([
    '10.0.0.0/8',
    '10.1.0.0/16',
  ])

  // a name that nobody could see
  await page.keyboard.press('Escape')
  await dialog('组网配置').waitFor({ state: 'detached' })
  await chooseFromMenu(page, '生产网', '重命名')
  const rename = dialog('修改组网名称')
  await fillIn(page, rename, { 组网名称: '\u3164\u2800' })
  await press(rename, '保存')
  await says(rename, '请输入网络名称')
  await fillIn(page, rename, { 组网名称: '长'.repeat(40) })
  await press(rename, '保存')
  await rename.getByText(/^网络名称不能超过\d+个字符$/).waitFor()
  await fillIn(page, rename, { 组网名称: '生产\u00AD网 二期' })
  await press(rename, '保存')
  await rename.waitFor({ state: 'detached' })
  expect((await call(networkApi.lists, {})).map(({ network_name }) => network_name)).toEqual(['生产网 二期'])

  // a directory: nothing of a DN or a secret is cut
  await page.goto('/router/ldap_edit?ldapType=create')
  const dn = `cn=reader,${'ou=部门，一,'.repeat(40)}dc=acme`
  await fillIn(page, page, { 域名: 'ｃｏｒｐ。acme.example ', 'Base DN': dn, 用户名: dn, 密码: 'x'.repeat(64) })
  await press(page, '检测')
  for (const sentence of ['Base DN不能超过255个字符', '密码不能超过32个字符']) await says(page, sentence)
  await page.getByText(/^用户名不能超过\d+个字符$/).waitFor()
  expect(await field(page, 'Base DN').inputValue()).toBe(dn)
  expect(await field(page, '域名').inputValue()).toBe('corp.acme.example')
})

const ROLE = {
  easylink: {
    router: { create: 0, edit: 1, delete: 0 },
    network: { create: 0, edit: 1, delete: 0, number: null },
  },
  monitor: { view: 1, create: 0, edit: 0, delete: 0 },
} as const
