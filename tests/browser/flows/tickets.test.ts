import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { expect, inject, it } from 'vitest'
import { localSecrets } from '#infra/local/secrets.ts'
import { opsApi } from '#contract/ops/index.ts'
import { createPng } from '#tests/support/images.ts'
import { WIDTHS, chooseFromMenu, field, startSession, useBrowserHarness } from '../browser-harness.ts'
import { useOps } from '../ops.ts'

const { origin, visitor } = useBrowserHarness()
const ops = useOps(origin)
const PNG = Buffer.from(createPng(120, 80))
const MARKUP = '<img src=x onerror="document.title=1"><script>document.title=2</script>'

/** The command line, as the operator types it. */
async function runOps(...words: readonly string[]): Promise<string> {
  const env = { ...process.env, NETLOOM_URL: origin, OPERATOR_TOKEN: localSecrets().OPERATOR_TOKEN }
  const { stdout } = await promisify(execFile)(process.execPath, ['infra/ops.ts', 'ticket', ...words], { env })
  return stdout
}

const turns = (page: Page) => page.getByRole('log', { name: '沟通记录' }).getByRole('listitem')
const isDrawn = (page: Page, name: string) =>
  expect
    .poll(() =>
      page
        .getByRole('button', { name: `预览图片 ${name}` })
        .locator('img')
        .evaluate((img: HTMLImageElement) => img.naturalWidth),
    )
    .toBeGreaterThan(0)

it('main account, sub-account and the operator’s command line talk live, with images; close, reopen, appraise', async () => {
  const { username: account, password } = await ops.newAccount()
  const sub = await ops.call(opsApi.createRam, {
    account,
    password,
    username: 'desk',
    nickname: '前台',
    role: '前台',
    flags: [],
  })
  const [main, desk] = [await visitor(), await visitor({ width: WIDTHS.phone })]
  await Promise.all([startSession(main, origin, account), startSession(desk, origin, sub.login_name, password)])

  await desk.goto('/ticket/create')
  await field(desk, '标题').fill(`门店断线 ${MARKUP}`.slice(0, 32))
  await desk.getByRole('combobox', { name: '问题类型' }).click()
  await desk.getByRole('option', { name: '智能设备' }).click()
  await field(desk, '概述').fill(`门店从今天早上起断线\n${MARKUP}`)
  await desk.locator('input[type=file]').setInputFiles({ name: '现场.png', mimeType: 'image/png', buffer: PNG })
  await desk.getByText('上传中…').waitFor({ state: 'hidden' })
  await desk.getByRole('button', { name: '提交工单' }).click()
  await desk.getByText('工单提交成功，请耐心等待回复').waitFor()
  await desk.waitForURL('**/ticket/detail?ticket_number=T*')
  const number = new URL(desk.url()).searchParams.get('ticket_number') ?? ''
  await isDrawn(desk, '现场.png')

  await main.goto('/ticket/lists')
  await main.getByRole('cell', { name: sub.login_name }).waitFor()
  await main.goto(`/ticket/detail?ticket_number=${number}`)
  await turns(main).first().waitFor()

  expect(await runOps('list', '--account', account)).toContain(number)
  const image = join(inject('data'), 'answer.png')
  writeFileSync(image, PNG)
  await runOps('reply', '--number', number, '--content', `请重启 ${MARKUP}`, '--files', image)
  for (const page of [desk, main]) {
    await turns(page).getByText(`请重启 ${MARKUP}`).waitFor()
    await isDrawn(page, 'answer.png')
  }
  await desk.getByTitle('我的消息，1 条未读', { exact: true }).waitFor()

  await field(desk, '回复内容').fill('草稿')
  await desk.reload()
  await expect.poll(() => field(desk, '回复内容').inputValue()).toBe('草稿')
  await field(desk, '回复内容').evaluate(
    (area, bytes) => {
      const clipboardData = new DataTransfer()
      clipboardData.items.add(new File([new Uint8Array(bytes)], 'pasted.png', { type: 'image/png' }))
      area.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }))
    },
    [...PNG],
  )
  await desk.getByText('pasted.png').waitFor()
  await desk.getByText('上传中…').waitFor({ state: 'hidden' })
  await field(desk, '回复内容').fill('重启后仍然断线')
  await field(desk, '回复内容').press('Control+Enter')
  await turns(main).getByText('重启后仍然断线').waitFor()
  await isDrawn(main, 'pasted.png')
  await expect.poll(() => field(desk, '回复内容').inputValue()).toBe('')

  await runOps('status', '--number', number, '--status', '4')
  await main.getByText('已关闭', { exact: true }).first().waitFor()
  await main.getByRole('button', { name: '重新打开' }).click()
  await field(desk, '回复内容').waitFor()
  await main.getByRole('button', { name: '关闭问题并评价' }).click()
  await main.getByText('评分不能为空').waitFor()
  await main.getByRole('radio', { name: '4 星，满意' }).click()
  await main.getByRole('button', { name: '关闭问题并评价' }).click()
  await main.getByText('关闭成功').waitFor()
  await desk.getByRole('img', { name: '4 星，满意' }).waitFor()
  expect(await field(desk, '回复内容').count()).toBe(0)

  await main.getByRole('button', { name: '预览图片 现场.png' }).click()
  await main.locator('.semi-image-preview-image').first().waitFor()
  await main.keyboard.press('Escape')
  await chooseFromMenu(main, number, '删除')
  await main.getByText('是否确定删除?').waitFor()
  await main.getByRole('alertdialog').getByRole('button', { name: '删除工单' }).click()
  await main.waitForURL('**/ticket/lists')
  for (const page of [main, desk]) {
    expect(await page.locator('img[src=x]').count()).toBe(0)
    expect(await page.title()).not.toMatch(/^\d/)
  }
})
