import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { Output } from '../../worker/contract/endpoint.ts'
import type { networkApi } from '../../worker/contract/network.ts'
import type { LinkState, PresenceState } from '../../worker/contract/protocol.ts'
import { judgeNetwork } from '../../worker/domain/health/network.ts'
import { resize, signIn, useBrowserHarness, WIDTHS } from './browser-harness.ts'

const { origin, visitor } = useBrowserHarness()

const NUMBER = '2000000000'
const CENTERS = ['C0', 'C1'] as const
/** Points that lost one of their two ways. */
const SINGLE = [4, 17, 33]
const LONG = 'HQ-Backbone-Router-East'

interface Made {
  readonly points: number
  /** Of the last points: routers that never came. */
  readonly never?: number
  readonly single?: readonly number[]
}

const labelOf = (i: number) => (i % 8 === 2 ? `${LONG}-${i}` : `门店 ${i}`)

function createNetwork({ points, never = 0, single = [] }: Made): Output<typeof networkApi.info> {
  const member = (router_name: string, note: string, i: number, isCenter: boolean, state: PresenceState) => ({
    router_name,
    note,
    member_type: isCenter ? ('center' as const) : ('point' as const),
    router_type: 1 as const,
    online: state === 'online' ? (1 as const) : (0 as const),
    version: '0.1.0',
    vpn_ip: CENTERS.map((_, c) => `100.${100 + c}.128.${100 + i}`),
    lan: [],
    remote_ip: '',
    presence: { state, since: 0, last_seen: 0, reason: '' },
    config: { state: 'applied' as const, version: 1, applied_version: 1, reason: '', at: 0 },
  })
  const members = [
    ...CENTERS.map((name, i) => member(name, `中心 ${i}`, i, true, 'online')),
    ...Array.from({ length: points }, (_, i) =>
      member(`P${i}`, labelOf(i), i, false, i >= points - never ? 'never' : 'online'),
    ),
  ]
  const toLink = (i: number, c: number) => {
    const state: LinkState = i >= points - never ? 'never' : c === 1 && single.includes(i) ? 'down' : 'up'
    return {
      id: `${NUMBER}:P${i}>C${c}`,
      router_name: `P${i}`,
      router_name_note: labelOf(i),
      center_router_name: `C${c}`,
      center_router_name_note: `中心 ${c}`,
      state,
      since: 0,
      reason: '',
      rtt_ms: null,
      client_up: null,
      server_up: null,
      vpn_ip: '',
      vpn_online: state === 'up' ? (1 as const) : (0 as const),
      vpn_online_time: null,
    }
  }
  const link = Array.from({ length: points }, (_, i) => CENTERS.map((_center, c) => toLink(i, c))).flat()
  return {
    network_number: NUMBER,
    network_name: '全国门店',
    network_status: 1,
    network_type: 1,
    network_service: 2,
    member_count: members.length,
    fr_name: '',
    create_time: 0,
    suspended_time: null,
    withdrawn: 0,
    mode: 1,
    ncp_ciphers: 'default',
    revision: 1,
    network_config: {
      network_router_use: members.length,
      network_router_count: 500,
      network_level: 2,
      network_center_count: 2,
      dns_quantity: 2,
    },
    member: members,
    link,
    health: judgeNetwork(members, link).health,
    overlaps: [],
  }
}

async function openNetwork(page: Page, made: Made): Promise<void> {
  const reply = (data: unknown) => ({
    contentType: 'application/json',
    body: JSON.stringify({ code: 200, msg: '', data }),
  })
  await page.route('**/api/v1/network/info*', (route) => route.fulfill(reply(createNetwork(made))))
  await page.route('**/api/v1/router/traffic_ticket', async (route) =>
    route.request().postData()?.includes(NUMBER)
      ? route.fulfill(reply({ ticket: 'test', expires_in: 30 }))
      : route.continue(),
  )
  await page.routeWebSocket('**/api/v1/network/live*', () => {}) // open, without frames: the rows hold the states
  await signIn(page, origin, 'demo01')
  await page.goto(`/network/detail?network_number=${NUMBER}&view=graph`)
}

interface Text {
  readonly text: string
  readonly px: number
  readonly isInside: boolean
  readonly isInNode: boolean
}

/** Texts of the nodes as they are on the screen. */
const readTexts = (page: Page): Promise<readonly Text[]> =>
  page.locator('.x6-node .nl-node-title, .x6-node .nl-node-sub').evaluateAll((texts) => {
    const stage = document.querySelector('[role=application]')!.getBoundingClientRect()
    return texts.map((text) => {
      const [box, node] = [
        text.getBoundingClientRect(),
        text.parentElement!.querySelector('.nl-node')!.getBoundingClientRect(),
      ]
      const scale = box.height / (text as SVGGraphicsElement).getBBox().height
      return {
        text: text.textContent,
        px: Math.round(Number.parseFloat(getComputedStyle(text).fontSize) * scale * 10) / 10,
        isInside:
          box.left >= stage.left && box.right <= stage.right && box.top >= stage.top && box.bottom <= stage.bottom,
        isInNode: box.left >= node.left && box.right <= node.right,
      }
    })
  })

it('shows 38 points at 1440 × 900 with names and whole addresses of at least 12 px, and who lost its second way', async () => {
  const page = await visitor()
  await openNetwork(page, { points: 38, single: SINGLE })
  await expect.poll(() => page.locator('.x6-node .nl-node-title').count()).toBe(38 + CENTERS.length)
  const texts = await readTexts(page)
  expect(texts.filter(({ px, isInside, isInNode }) => px < 12 || !isInside || !isInNode)).toEqual([])
  const shown = texts.map(({ text }) => text).join('\n')
  for (let i = 0; i < 38; i++) expect(shown).toContain(`100.100.128.${100 + i}`)

  const ringed = page.locator('.x6-node').filter({ has: page.locator('.nl-node-single') })
  const names = await ringed.locator('.nl-node-title').allTextContents()
  expect(names.map((name) => name.replaceAll('\u00a0', ' ')).toSorted()).toEqual(['门店 17', '门店 33', '门店 4'])
  expect(await page.locator('.x6-edge').count()).toBe(SINGLE.length)
  expect(await page.locator('.nl-trunk-label').allTextContents()).toEqual(['38/38', '35/38'])
})

it('shows nothing red while 90 of 100 routers have never come', async () => {
  const page = await visitor()
  await openNetwork(page, { points: 100, never: 90 })
  await page.locator('.nl-trunk').first().waitFor({ state: 'attached' })
  const coloursOf = () =>
    page.locator('[role=application] path').evaluateAll((paths) => {
      const bad = document.createElement('i')
      bad.style.color = 'var(--nl-bad)'
      document.body.append(bad)
      const red = getComputedStyle(bad).color
      bad.remove()
      return paths
        .map((path) => [path, getComputedStyle(path)] as const)
        .filter(([path, { fill, stroke }]) => path.getAttribute('d') && (fill === red || stroke === red)).length
    })
  expect(await coloursOf()).toBe(0)
  expect(await page.locator('.nl-trunk-label').allTextContents()).toEqual(['10/10', '10/10'])
})

it('is reached by keyboard: arrows move, Enter opens, a screen reader hears the node', async () => {
  const page = await visitor()
  await openNetwork(page, { points: 6 })
  const drawing = page.getByRole('application')
  await page.locator('.nl-trunk').first().waitFor({ state: 'attached' })
  await drawing.focus()
  await page.keyboard.press('ArrowDown')
  const heard = drawing.getByRole('status').filter({ hasText: '在线' })
  await expect.poll(() => heard.textContent()).toMatch(/^中心 0，中心点，在线/)
  await page.keyboard.press('ArrowRight')
  await expect
    .poll(() => heard.textContent())
    .toBe('门店 0，普通点，在线，中心 0 连通 100.100.128.100，中心 1 连通 100.101.128.100')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: labelOf(0) }).waitFor()
})

it('is a grid of ports on a phone, without a canvas and without its chunk', async () => {
  const page = await visitor({ width: WIDTHS.phone })
  await resize(page, WIDTHS.phone)
  const chunks: string[] = []
  page.on('request', (request) => void chunks.push(new URL(request.url()).pathname))
  await openNetwork(page, { points: 10, single: [4] })
  await page
    .getByRole('region', { name: '普通点 10' })
    .getByRole('button', { name: /门店 4.*单中心/ })
    .waitFor()
  expect(chunks.filter((path) => /\/(x6|drawing)/i.test(path))).toEqual([])
  expect(await page.getByRole('application').count()).toBe(0)
})
