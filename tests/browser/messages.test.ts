import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { opsApi } from '#contract/ops/index.ts'
import { findViolations } from './axe.ts'
import type { ViewerFrame } from '#contract/kernel/protocol.ts'
import { WIDTHS, chooseFromMenu, recordFrames, sideScroll, startSession, useBrowserHarness } from './browser-harness.ts'
import { useOps } from './ops.ts'

const { origin, visitor } = useBrowserHarness()
const ops = useOps(origin)
const NETWORK = 'N-messages'

const badge = (page: Page, count: string) =>
  page.getByTitle(count === '0' ? '我的消息' : `我的消息，${count} 条未读`, { exact: true }).waitFor()
const titles = (page: Page) => page.getByRole('table', { name: '消息' }).locator('tbody .nl-identity-name')
const confirmWith = (page: Page, verb: string) =>
  page.getByRole('alertdialog').getByRole('button', { name: verb, exact: true }).click()

function readUnread(text: string): readonly number[] {
  const frame = JSON.parse(text) as ViewerFrame
  return frame.type === 'account' ? [frame.data.unread] : []
}

/** A tenant with its main account, a colleague with every right, and a role limited to one network. */
async function openPeople() {
  const { username: account, password } = await ops.newAccount()
  const role = { account, password, flags: [] }
  const all = await ops.call(opsApi.createRam, { ...role, username: 'all', nickname: '同事', role: '全部' })
  const one = await ops.call(opsApi.createRam, {
    ...role,
    username: 'one',
    nickname: '分支',
    role: '分支',
    networks: [NETWORK],
  })
  const sockets: string[][] = []
  const open = async (name: string) => {
    const page = await visitor()
    sockets.push(recordFrames(page))
    await startSession(page, origin, name, password)
    await page.goto('/dashboard')
    return page
  }
  const [main, colleague, limited] = [await open(account), await open(all.login_name), await open(one.login_name)]
  const send = (title: string, over: object = {}) =>
    ops.call(opsApi.sendMessage, { account, title, content: `${title}的内容`, ...over })
  /** Every unread count that was pushed to each of them, in this order. */
  const pushes = () => sockets.map((frames) => frames.flatMap(readUnread))
  return { main, colleague, limited, send, pushes }
}

it('messages are counted, read and deleted by person, and pushed to whom they concern', async () => {
  const { main, colleague, limited, send, pushes } = await openPeople()
  const expectPushed = (...counts: readonly number[]) =>
    expect.poll(() => pushes().map((unread) => unread.at(-1))).toEqual(counts)
  await expectPushed(0, 0, 0)
  await send('全员通知')
  await send('组网告警', { type: '告警', network_number: NETWORK })
  await Promise.all([badge(main, '2'), badge(colleague, '2'), badge(limited, '1')])
  await expectPushed(2, 2, 1)

  await main.goto('/account/message')
  await main.getByRole('button', { name: '全员通知', exact: true }).click()
  await main.getByRole('dialog').getByText('全员通知的内容').waitFor()
  await badge(main, '1')
  await expectPushed(1, 2, 1)
  await main.getByRole('dialog').getByRole('button', { name: '关闭' }).last().click()

  await colleague.goto('/account/message')
  await colleague.getByRole('button', { name: '标记已读', exact: true }).click()
  await colleague.getByText('请选择消息标题').waitFor()
  await colleague.getByRole('button', { name: '全部已读' }).click()
  await colleague.getByText('你确定将全部消息标记为已读吗').waitFor()
  await confirmWith(colleague, '全部已读')
  await badge(colleague, '0')
  await badge(main, '1')
  await expectPushed(1, 0, 1)

  await limited.goto('/account/message')
  await expect.poll(() => titles(limited).allTextContents()).toEqual(['组网告警'])

  await chooseFromMenu(main, '我的消息', '删除全部')
  await main.getByText('你确定删除全部消息吗').waitFor()
  await confirmWith(main, '删除全部')
  await main.getByText('好像没有什么东西哦！').waitFor()
  await badge(main, '0')
  await expectPushed(0, 0, 1)
  await colleague.reload()
  await expect.poll(() => titles(colleague).allTextContents()).toEqual(['组网告警', '全员通知'])
  await badge(limited, '1')

  await send('稍后的通知') // open lists and headers follow the channel
  await expect.poll(() => titles(main).allTextContents()).toEqual(['稍后的通知'])
  await badge(colleague, '1')
  await send('自己组网的通知', { network_number: NETWORK })
  await expect.poll(() => titles(limited).allTextContents()).toEqual(['自己组网的通知', '组网告警'])
  await badge(limited, '2')
  await expectPushed(2, 2, 2)
  expect(pushes()[2]?.filter((unread, i, all) => unread !== all[i - 1])).toEqual([0, 1, 2]) // nothing of others in between
})

it.each([WIDTHS.wide, WIDTHS.phone])('messages, announcements and services of the demo at %i px', async (width) => {
  const page = await visitor({ width })
  await startSession(page, origin, 'demo01')
  for (const [path, text] of [
    ['/account/message?limit=50', '新设备登录提醒'],
    ['/account/announcements', '组网拓扑全新上线：链路状态一图看清'],
    ['/account/service', '即将到期'],
  ] as const) {
    await page.goto(path)
    await page.getByText(text).first().waitFor()
    expect(await findViolations(page, 'light')).toEqual([])
    expect(await sideScroll(page)).toBe(0)
  }
  for (const state of ['未生效', '生效中', '已到期']) await page.getByText(state).first().waitFor()
  const renew = page.getByRole('link', { name: '续费 骨干带宽' })
  expect(await renew.getAttribute('href')).toBe(`/ticket/create?service_name=${encodeURIComponent('骨干带宽')}`)

  await page.goto('/account/announcements')
  await page.getByRole('link', { name: '组网拓扑全新上线：链路状态一图看清' }).click()
  await page.getByRole('heading', { level: 2, name: '主要变化' }).waitFor()
  const image = page.getByRole('button', { name: '组网拓扑', exact: true })
  await expect.poll(() => image.locator('img').evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0)
  expect(await findViolations(page, 'light')).toEqual([])
  await image.click()
  await page.locator('.semi-image-preview-image').first().waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.locator('.semi-image-preview').count()).toBe(0)
})
