import { type Page, chromium } from 'playwright-core'
import type { MemberView } from '../../worker/contract/protocol.ts'
import type { Output } from '../../worker/contract/endpoint.ts'
import type { networkApi } from '../../worker/contract/network.ts'
import { judgeNetwork } from '../../worker/domain/health/network.ts'
import { findChromium } from '../local/chromium.ts'
import { inRoot } from '../local/paths.ts'
import { refreshCookie } from './bundles.ts'
import { type Finding, median, print } from './report.ts'
import type { Stack } from './stack.ts'

const POINTS = 1_998
const CENTERS = ['C1', 'C2'] as const
const OPENED = 8 // groups of 50
const ROUNDS = 3
const BUDGET = { paintMs: 500, framesPerSecond: 30 } as const
const PAN_STEPS = 90
const CANVAS = '[role=application]'
const NUMBER = '2000000000'

/** A network of 2,000 members in a real Chromium: the built console, against X6 as it comes drawing all of them. */
export async function benchTopology({ origin }: Stack): Promise<readonly Finding[]> {
  const executablePath = await findChromium().catch(() => null)
  if (executablePath === null) {
    process.stdout.write('\nTopology of 2,000 members: left out, there is no Chromium here (set CHROMIUM)\n')
    return []
  }
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  const [ours, opened, plain] = [[] as Measured[], [] as number[], [] as Measured[]]
  try {
    const refresh = await refreshCookie(origin)
    for (let round = 0; round < ROUNDS; round++) {
      const context = await browser.newContext({ baseURL: origin, viewport: { width: 1440, height: 900 } })
      await context.addCookies([{ ...refresh(), url: `${origin}/api/v1/login` }])
      await context.addInitScript({ path: inRoot('infra/bench/peers/drawing.js') })
      const page = await context.newPage()
      const paintMs = await openConsole(page)
      ours.push({ paintMs, framesPerSecond: await pan(page, CANVAS) })
      await openGroups(page)
      opened.push(await pan(page, CANVAS))
      refresh.keep(await context.cookies(`${origin}/api/v1/login`))
      plain.push(await plainX6(await context.newPage()))
      await context.close()
    }
  } finally {
    await browser.close()
  }
  const paintMs = median(ours.map((one) => one.paintMs))
  const frames = median(ours.map((one) => one.framesPerSecond))
  const plainPaintMs = median(plain.map((one) => one.paintMs))
  const plainFrames = median(plain.map((one) => one.framesPerSecond))
  const findings: Finding[] = [
    { what: 'first useful paint', value: paintMs, unit: 'ms', budget: BUDGET.paintMs, must: 'stay below' },
    { what: 'plain X6, all nodes', value: plainPaintMs, unit: 'ms' },
    { what: 'ratio', value: plainPaintMs / paintMs, unit: 'times sooner' },
    { what: 'pan, groups closed', value: frames, unit: 'frames/s', budget: BUDGET.framesPerSecond, must: 'reach' },
    {
      what: `pan, ${OPENED} groups open`,
      value: median(opened),
      unit: 'frames/s',
      budget: BUDGET.framesPerSecond,
      must: 'reach',
    },
    { what: 'plain X6, pan', value: plainFrames, unit: 'frames/s' },
    { what: 'ratio', value: median(opened) / plainFrames, unit: 'times as many' },
  ]
  print('Topology of 2,000 members', findings)
  return findings
}

interface Measured {
  readonly paintMs: number
  readonly framesPerSecond: number
}

/** Milliseconds from the rows' arrival to a frame that shows every column and the states of what is in sight. */
async function openConsole(page: Page): Promise<number> {
  const body = JSON.stringify({ code: 200, msg: '', data: createNetwork() })
  await page.route('**/api/v1/network/info*', (route) => route.fulfill({ contentType: 'application/json', body }))
  await page.route('**/api/v1/router/traffic_ticket', async (route) => {
    if (!route.request().postData()?.includes(NUMBER)) return route.continue()
    const data = { ticket: 'bench', expires_in: 30 }
    return route.fulfill({ contentType: 'application/json', body: JSON.stringify({ code: 200, msg: '', data }) })
  })
  await page.routeWebSocket('**/api/v1/network/live*', () => {}) // open, without frames: the rows hold the states
  await page.goto(`/network/detail?network_number=${NUMBER}&view=graph`)
  await page.locator('.nl-node-collapsed').first().waitFor({ state: 'attached' })
  return page.evaluate<number>("bench.paintMs('network/info')")
}

/** Expands groups, the last first: those before it keep their places at the top. */
async function openGroups(page: Page): Promise<void> {
  for (let i = OPENED - 1; i >= 0; i--) {
    await page.locator(`[data-cell-id="group:${i}"]`).click()
    await page.locator(CANVAS).press('0')
  }
}

/** Frames a second while the pointer drags the drawing to and fro. */
async function pan(page: Page, selector: string): Promise<number> {
  const box = await page.locator(selector).boundingBox()
  if (box === null) throw new Error(`${selector} is not on the page`)
  const at = { x: box.x + box.width / 2, y: box.y + 12 } // above the nodes: drags the canvas, not a node
  await page.mouse.move(at.x, at.y)
  await page.mouse.down()
  await page.evaluate('bench.countFrames()')
  for (let i = 1; i <= PAN_STEPS; i++) await page.mouse.move(at.x - 300 * Math.sin(i / 12), at.y + 4 * i)
  const framesPerSecond = await page.evaluate<number>('bench.framesPerSecond()')
  await page.mouse.up()
  return framesPerSecond
}

async function plainX6(page: Page): Promise<Measured> {
  await page.setContent('<div id="paper" style="width:1140px;height:520px"></div>')
  await page.addScriptTag({ path: inRoot('node_modules/@antv/x6/dist/x6.min.js') })
  const paintMs = await page.evaluate<number>(`bench.plainX6(${POINTS}, ${JSON.stringify(CENTERS)})`)
  return { paintMs, framesPerSecond: await pan(page, '#paper') }
}

function createNetwork(): Output<typeof networkApi.info> {
  const presence = { state: 'online', since: 0, last_seen: 0, reason: '' } as const
  const config = { state: 'applied', version: 1, applied_version: 1, reason: '', at: 0 } as const
  const member = (router_name: string, member_type: MemberView['member_type'], i: number) => ({
    router_name,
    note: `分支 ${i}`,
    member_type,
    router_type: 1 as const,
    online: 1 as const,
    version: '0.1.0',
    vpn_ip: CENTERS.map((_, c) => `100.${64 + c}.${i >> 8}.${i & 255}`),
    lan: [],
    remote_ip: '',
    presence,
    config,
  })
  const points = Array.from({ length: POINTS }, (_, i) => member(`P${i}`, 'point', i))
  const members = [...CENTERS.map((name, i) => member(name, 'center', i)), ...points]
  return {
    network_number: NUMBER,
    network_name: '两千个成员',
    network_status: 1,
    network_type: 1,
    network_service: 2,
    member_count: POINTS + CENTERS.length,
    fr_name: '',
    create_time: 0,
    suspended_time: null,
    withdrawn: 0,
    mode: 1,
    ncp_ciphers: 'default',
    revision: 1,
    network_config: {
      network_router_use: POINTS + CENTERS.length,
      network_router_count: 5_000,
      network_level: 2,
      network_center_count: 2,
      dns_quantity: 2,
    },
    member: members,
    health: judgeNetwork(members, []).health,
    link: points.flatMap(({ router_name, note, vpn_ip }, i) =>
      CENTERS.map((center_router_name, c) => {
        const isDown = i % 50 === 7
        return {
          id: `${NUMBER}:${router_name}>${center_router_name}`,
          router_name,
          router_name_note: note,
          center_router_name,
          center_router_name_note: center_router_name,
          state: isDown ? ('down' as const) : ('up' as const),
          since: 0,
          reason: isDown ? '探测无应答' : '',
          rtt_ms: isDown ? null : 8,
          client_up: !isDown,
          server_up: !isDown,
          vpn_ip: vpn_ip[c] ?? '',
          vpn_online: isDown ? (0 as const) : (1 as const),
          vpn_online_time: isDown ? null : 0,
        }
      }),
    ),
    overlaps: [],
  }
}
