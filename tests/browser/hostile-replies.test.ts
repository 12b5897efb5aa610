import type { Page, Request, Route } from 'playwright-core'
import { expect, it } from 'vitest'
import { readFileSync } from 'node:fs'
import type * as z from 'zod'
import { callEndpoint } from '#infra/local/api.ts'
import { announcementsApi } from '#contract/announcements/index.ts'
import { bandwidthPoolApi } from '#contract/bandwidth-pool/index.ts'
import type { Endpoint } from '#contract/kernel/endpoint.ts'
import { API } from '#contract/api.ts'
import { opsApi } from '#contract/ops/index.ts'
import { viewerFrame } from '#contract/kernel/protocol.ts'
import { saasApi } from '#contract/saas/index.ts'
import { ticketApi } from '#contract/ticket/index.ts'
import { toHostile, withoutPayload } from '#tests/support/hostile/hostile-reply.ts'
import { AUTH_SOURCE_REPLIES } from '#tests/support/auth-source-replies.ts'
import { LDAP_REPLIES } from '#tests/support/ldap-replies.ts'
import { PAYLOADS } from '#tests/support/hostile/payloads.ts'
import { textFields } from '#tests/support/hostile/text-fields.ts'
import { goWithin, waitTwoFrames, useBrowserHarness } from './browser-harness.ts'
import { watchMarkup } from './markup-watch.ts'
import { useOps } from './ops.ts'
import { networkApi } from '#contract/network/index.ts'
import { routerApi } from '#contract/router/index.ts'

// Between the product and the page every text of every reply becomes markup, whoever would have written it: pages are
// walked once, and no new text that a call answers can be left out.

const { origin, visitor, tolerate } = useBrowserHarness()
const ops = useOps(origin)

/**
 * Chromium reports a handler wherever its text is parsed: in a document apart, a template and the browser's own sanitiser
 * (Element.setHTML) alike. On the page itself the watch would see it.
 */
const HANDLER_OF_ARTICLE =
  /^\S+\/handbook\?.* (?:Executing inline event handler|policy violation: script-src-attr inline)/

const READS = new Map<string, Endpoint>(
  API.filter(({ method, reply }) => method === 'GET' && reply !== 'file').map((spec) => [spec.path, spec]),
)
const RENEWALS = new Map<string, Endpoint>(
  API.filter(({ path }) => path.startsWith('login/')).map((spec) => [spec.path, spec]),
)
/** Reads that no address leads to: a new one is either walked by or named here. */
const UNVISITED: readonly string[] = [
  // before the sign-in, of other programs, or of no page
  'site/config',
  'verify/code',
  'verify/challenge',
  'client/profile',
  'client/dial',
  'client/profiles',
  'client/auth_source',
  'auth_source/info',
  'ram/domain',
  'country/lists',
  'network/select',
  'network/member',
  'router/software',
  'router/hardware',
  // of dialogs, drawers and polls
  'message/info',
  'overview/evidence',
  'contacts/info',
  'network/status',
  'network/unsupported',
  'network/prefix',
  'network/routing',
  'network/routes',
  'network/tunnels',
  'network/link_history',
  'network/ip_address_pool',
  'network/center_link_network',
  'network/point_link',
  'network/job',
  'network/actual_routes',
  'network/diagnosis',
  'network/diagnoses',
  'network_fr/config',
  'router/traffic',
  'router/series',
  'router/usage',
  'router/profiles',
  'logs/software_login',
  'logs/online',
  'monitor/routers',
  'monitor/children',
  'webhook/config',
  'ram/info',
  'ram/log',
  'ram_role/info',
  'ram_role/select',
  'logs/export',
  'ldap/status',
  'ldap/hardware',
]

/** Pages that are built, but those of the sign-in: their lines of the table, which itself imports every page. */
const ROW = /page\(\s*'(\w+)',\s*'[\w:]+',\s*'([^']+)',\s*'[^']+',\s/g
const PAGES = [...readFileSync('web/app/pages.ts', 'utf8').matchAll(ROW)]
  .filter(([, layout]) => layout !== 'public')
  .map(([, , path = '']) => path)

/** Actions that trigger reads which a page does not make on opening. */
const ON_PAGE: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  '/saas/detail': async (page) => {
    await Promise.all([
      page.waitForResponse((response) => response.url().includes('/saas/app_log?')),
      page.getByRole('tab', { name: '流量分析' }).click(),
    ])
    for (const [name, path] of [
      ['应用占比', 'app_log_top'],
      ['源地址流量', 'orig_scr_log'],
      ['源地址占比', 'orig_scr_log_top'],
    ] as const)
      await Promise.all([
        page.waitForResponse((response) => response.url().includes(`/saas/${path}?`)),
        page.getByRole('tab', { name }).click(),
      ])
  },
  '/router/ldap': async (page) => {
    const isUsers = new URL(page.url()).searchParams.get('users') === '1'
    if (isUsers) return page.getByRole('dialog').getByRole('button', { name: '关闭' }).first().click()
    await page.getByRole('button', { name: '查看同步计划' }).click()
    await page.getByRole('dialog').getByRole('table', { name: '成员' }).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: '关闭' }).first().click()
  },
  '/handbook': async (page) => {
    await Promise.all([
      page.waitForResponse((response) => response.url().includes('/document/search')),
      page.getByRole('textbox', { name: '搜索手册' }).fill(`组网 ${PAYLOADS[0]!}`),
    ])
  },
}

/** Of calls that have nothing to answer without a directory, and sources whose ID is ours. */
const INSTEAD: Readonly<Record<string, { readonly data: unknown }>> = Object.fromEntries(
  Object.entries({ ...LDAP_REPLIES, ...AUTH_SOURCE_REPLIES }).map(([path, reply]) => [
    path,
    { code: 200, msg: '', ...reply },
  ]),
)

/** The call of the page as it would have been, and its reply as markup. */
async function answer(route: Route, asked: Set<string>): Promise<void> {
  const request = route.request()
  const url = new URL(request.url())
  const path = url.pathname.replace('/api/v1/', '')
  const spec = READS.get(path) ?? RENEWALS.get(path)
  asked.add(path)
  for (const [name, value] of url.searchParams) url.searchParams.set(name, withoutPayload(value))
  const body = request.postData()
  const response = await route.fetch({ url: url.href, ...(body !== null && { postData: unescaped(body) }) })
  if (!spec) return route.fulfill({ response })
  const envelope = { ...((await response.json()) as { data: unknown }), ...INSTEAD[path] }
  if (envelope.data === null) return route.fulfill({ response })
  await route.fulfill({ response, json: { ...envelope, data: toHostile(spec.output, envelope.data) } })
}
const unescaped = (body: string) =>
  JSON.stringify(JSON.parse(body, (_, value: unknown) => (typeof value === 'string' ? withoutPayload(value) : value)))

/** The frames of a socket likewise. */
async function markSockets(page: Page): Promise<void> {
  await page.routeWebSocket(/\/live|\/traffic/, (socket) => {
    const server = socket.connectToServer()
    server.onMessage((message) => {
      const text = String(message)
      if (text === 'pong') return socket.send(text)
      socket.send(
        JSON.stringify({ ...JSON.parse(text), ...(toHostile(viewerFrame as z.ZodType, JSON.parse(text)) as object) }),
      )
    })
  })
}

/** A page that has rendered in a transition has sent its reads. */
async function idle(page: Page): Promise<void> {
  await waitTwoFrames(page)
  await page.evaluate(() => new Promise((done) => requestIdleCallback(done, { timeout: 2_000 })))
  await waitTwoFrames(page)
}

/** The function returned waits until the page asks for nothing more: an answer or a lazy chunk may render a part that reads in its turn. */
function watchRequests(page: Page): () => Promise<void> {
  const pending = new Set<Request>()
  page.on('request', (request) => pending.add(request))
  page.on('requestfinished', (request) => pending.delete(request))
  page.on('requestfailed', (request) => pending.delete(request))
  return async () => {
    do {
      await expect.poll(() => pending.size, { interval: 20 }).toBe(0)
      await idle(page)
    } while (pending.size > 0)
  }
}

it('whatever the server answers is text on every page', async () => {
  tolerate(HANDLER_OF_ARTICLE)
  const token = await ops.signIn('demo01')
  const read = <E extends Endpoint>(spec: E, input: never) => callEndpoint(origin, '/api/v1', spec, input, token)
  const [network] = await read(networkApi.lists, { limit: 50 } as never)
  const [hardware] = await read(routerApi.lists, {} as never)
  const [software] = await read(routerApi.lists, { type: 2 } as never)
  const [ticket] = await read(networkApi.ticketLists, {} as never)
  const [announcement] = await read(announcementsApi.lists, {} as never)
  const [saas] = await read(saasApi.router, {} as never)
  const [pool] = await read(bandwidthPoolApi.lists, {} as never)
  const supportTickets = await read(ticketApi.lists, {} as never)
  const ofNetwork = `network_number=${network!.network_number}`
  const ofTicket = `${ofNetwork}&network_ticket_number=${ticket!.network_ticket_number}`
  /** Queries to open a page with, one visit each. */
  const QUERIES: Readonly<Record<string, readonly string[]>> = {
    '/account/announcements/detail': [`id=${announcement!.id}`],
    '/monitor/setting': ['', 'tab=alerts', 'tab=deliveries', 'tab=mutes'],
    '/network/detail': [ofNetwork, `${ofNetwork}&at=${Date.now()}`],
    '/network/edit': [ofNetwork],
    '/network/pop_edit': [ofNetwork],
    '/network/ticket_create': [ofNetwork],
    '/network/ticket_detail': [ofTicket],
    '/saas/bandwidth_pool_detail': [`id=${pool!.id}`],
    '/saas/detail': [`router_name=${saas!.router_name}`],
    '/router/ldap': ['', 'users=1'],
    '/router/ldap_edit': ['ldapType=edit'],
    '/ticket/detail': supportTickets.map(({ ticket_number }) => `ticket_number=${ticket_number}`),
    '/router/lists': ['', 'type=2'],
    '/router/detail': [`router_name=${hardware!.router_name}`, `router_name=${software!.router_name}`],
  }

  const page = await visitor()
  const watch = await watchMarkup(page, origin)
  const asked = new Set<string>()
  const waitForRequests = watchRequests(page)
  await page.route('**/api/v1/**', (route) => answer(route, asked))
  await markSockets(page)
  const link = new URL((await ops.call(opsApi.tokenLink, { account: 'demo01' })).url)
  await page.goto(link.pathname + link.search)
  await page.waitForURL('**/dashboard')

  const payload = encodeURIComponent(PAYLOADS[0]!)
  expect(PAGES.length).toBeGreaterThan(25)
  for (const path of PAGES) {
    for (const query of QUERIES[path] ?? ['']) {
      await goWithin(page, `${path}?${query}&search=${payload}&show=${payload}&s=${payload}`)
      await idle(page)
      await ON_PAGE[path]?.(page)
      await waitForRequests()
      expect([path, query, await watch.found()]).toEqual([path, query, []])
    }
  }
  const shown = [...READS.values()].filter(({ output }) => textFields(output).length > 0).map(({ path }) => path)
  const missed = shown.filter((path) => !asked.has(path))
  expect(missed.filter((path) => !UNVISITED.includes(path))).toEqual([])
})
