import type { Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { opsApi } from '#contract/ops/index.ts'
import type { StoredText } from '#tests/support/hostile/dealer.ts'
import { LONG_MARKUP, SHORT_MARKUP } from '#tests/support/hostile/payloads.ts'
import { STORED_TEXTS } from '#tests/support/hostile/stored-texts.ts'
import { goWithin, startSession, useBrowserHarness, waitTwoFrames } from './browser-harness.ts'
import { storeHostileTexts } from './hostile-store.ts'
import { watchMarkup } from './markup-watch.ts'
import { useOps } from './ops.ts'

const { origin, visitor, tolerate } = useBrowserHarness()
const ops = useOps(origin)

/**
 * Texts that only an operator's orders or a device's jobs bring to a page, or that every test's visitor would read, such as
 * the handbook: hostile-replies.test.ts puts markup into their replies.
 */
const BY_REPLIES: readonly StoredText[] = [
  'agent job_result reason',
  'ops pop/create name',
  'ops pop/edit new_name',
  'ops network_ticket/start note',
  'ops network_ticket/complete note',
  'ops network_ticket/complete name',
  'ops network_ticket/complete shortname',
  'ops network_ticket/cancel note',
  'ops network_fr/renew note',
  'ops network_fr/bandwidth note',
  'ops network_fr/withdraw note',
  'ops handbook/import chapters[].title',
  'ops handbook/import chapters[].articles[].title',
  'ops handbook/import chapters[].articles[].markdown',
  'ops release/publish notes',
  'ops release/publish name',
  'agent config_result refused[].reason',
  'agent links links[].tunnel.reason',
  'agent links links[].tunnel.cipher',
  'agent links links[].tunnel.remote',
  'agent client_auth remote',
  'agent client_auth os',
  'agent client_auth version',
  'agent flows slots[].apps[][]',
  'agent flows slots[].sources[][]',
]

it('the watch finds every payload that is taken for markup', async () => {
  for (const complaint of ['Failed to load resource', 'Unsafe attempt to load', 'Invalid regular expression'])
    tolerate(complaint)
  const page = await visitor()
  await page.route('**/*', (route) =>
    route.request().url().endsWith('/bare')
      ? route.fulfill({ contentType: 'text/html', body: '<body>' })
      : route.abort(),
  )
  await watchMarkup(page, origin)
  await page.goto('/bare')
  const missed = await page.evaluate(
    async (payloads) => {
      const unseen: string[] = []
      for (const payload of payloads) {
        window.markup.splice(0)
        document.body.innerHTML = `<p>${payload}</p>`
        await Promise.resolve()
        if (window.markup.length === 0) unseen.push(payload)
        document.body.innerHTML = ''
      }
      return unseen
    },
    [...SHORT_MARKUP, ...LONG_MARKUP],
  )
  expect(missed).toEqual([])
})

it('markup that people, the operator, clients and devices have written is text on every page that shows it', async () => {
  const stored = await storeHostileTexts(origin, ops)
  onTestFinished(stored.close)
  const { shown, network, ticket, deal } = stored
  expect(deal.used.size).toBeGreaterThanOrEqual(60)
  expect(STORED_TEXTS.filter((field) => !deal.filled.has(field))).toEqual(
    STORED_TEXTS.filter((field) => BY_REPLIES.includes(field)),
  )

  const page = await visitor()
  const watch = await watchMarkup(page, origin)
  const link = new URL((await ops.call(opsApi.tokenLink, { account: stored.account.username })).url)
  await page.goto(link.pathname + link.search)
  await page.waitForURL('**/dashboard')
  const query = `network_number=${network.network_number}`
  const visits: readonly (readonly [path: string, ...texts: string[]])[] = [
    ['/dashboard', network.network_name],
    ['/network/lists', network.network_name],
    [`/network/detail?${query}`, network.network_name],
    [`/network/edit?${query}`, stored.serial],
    ['/router/lists', shown.note],
    ['/router/lists?type=2&limit=50', ...shown.notes],
    [`/router/detail?router_name=${stored.serial}`, shown.note, shown.wan],
    [`/router/detail?router_name=${stored.members[0]}`, shown.notes[0]!],
    ['/account', stored.account.username],
    ['/account/contacts', ...shown.contacts],
    ['/account/message?limit=50', ...shown.titles],
    ['/account/announcements', stored.announcement.title],
    [`/account/announcements/detail?id=${stored.announcement.id}`, '<svg onload=xss()>'],
    ['/account/service', '200'],
    ['/ram/index', shown.nickname],
    ['/ram/role', shown.role, shown.roleNote],
    ['/saas/router', shown.group, shown.note],
    [`/saas/detail?router_name=${stored.serial}`, shown.note],
    ['/saas/bandwidth_pool', shown.pool],
    ['/ticket/lists', ticket.title],
    [`/ticket/detail?ticket_number=${ticket.number}`, ticket.title, ...ticket.texts],
    ['/monitor/setting', '启动监控'],
  ]
  for (const [path, ...texts] of visits) {
    await goWithin(page, path)
    await expect.poll(() => findMissing(page, texts), { message: path }).toEqual([])
    await waitTwoFrames(page)
    expect([path, await watch.found()]).toEqual([path, []])
  }
  await goWithin(page, '/account/message')
  await page
    .getByRole('button', { name: shown.titles.at(-1)!, exact: true })
    .first()
    .click()
  await page.getByRole('dialog').getByText(LONG_MARKUP[0]!).first().waitFor()
  expect(await watch.found()).toEqual([])

  const desk = await visitor()
  const other = await watchMarkup(desk, origin)
  await startSession(desk, origin, stored.ram.login_name, stored.account.password)
  await desk.goto('/dashboard')
  await desk.getByText(shown.nickname).first().waitFor()
  expect(await other.found()).toEqual([])
})

/** By how they begin: a name that is too long for its column is cut. Blanks of names are stored as one. */
const findMissing = (page: Page, texts: readonly string[]) =>
  page.evaluate((wanted) => {
    const shown = document.body.textContent.replaceAll(/\s+/g, ' ')
    return wanted.filter((text) => !shown.includes(text.replaceAll(/\s+/g, ' ').slice(0, 12)))
  }, texts)
