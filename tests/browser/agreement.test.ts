import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { callEndpoint } from '#infra/local/api.ts'
import { PRESENCE } from '#contract/kernel/hub-limits.ts'
import { opsApi } from '#contract/ops/index.ts'
import { startSession, useBrowserHarness } from './browser-harness.ts'
import { type Device, useDevices } from './devices.ts'
import { networkApi } from '#contract/network/index.ts'

const SECOND = 1_000
/** From a change of health at a hub to all pages on a busy machine; the widest of their intervals is 2 s. */
const SETTLED_MS = 30 * SECOND
/** A connection that ended: its grace. */
const GONE_MS = PRESENCE.graceMs + SETTLED_MS
/** A silent device is found by its lease, which is checked every half minute. */
const LOST_MS = PRESENCE.leaseMs + PRESENCE.watchedCheckMs + SETTLED_MS
const DAY_MS = 86_400_000
const SHOTS = process.env['SHOTS']

const { origin, visitor, tab } = useBrowserHarness()
const { ops, newAccount } = useDevices(origin)

const NAME = '同一判断'
const CENTERS = ['中心甲', '中心乙'] as const
const POINTS = ['门店一', '门店二', '门店三', '门店四'] as const
const NEVER = '门店五'
const [FIRST_CENTER, SECOND_CENTER] = CENTERS
/** Name of the row in which the centres take the interrupted network in. */
const BOTH_CENTERS = CENTERS.join('、')
/** Faults of the points, one each; the last point stays healthy. */
const [KILLED, CUT, STOPPED] = POINTS
const MEMBERS = CENTERS.length + POINTS.length + 1
const LINKS = CENTERS.length * POINTS.length

/** Values that every page shows at the same moment. */
interface ExpectedHealth {
  readonly health: string
  /** Beside the health; empty while nothing is wrong. */
  readonly cause: string
  readonly centers: number
  readonly offline: number
  /** Of the links whose ends both came. */
  readonly linksUp: number
  /** Causes, as status line and chips count them. */
  readonly oneSided: number
  readonly singleCenter: number
  /** Objects of 待处理; compared without their order, for the last ping of a frozen device may be an interval old. */
  readonly attention: readonly string[]
  /** State of the point that is killed, whose row, node, panel and page are read. */
  readonly killed: string
}

const WELL: ExpectedHealth = {
  health: '运行正常',
  cause: '',
  centers: 2,
  offline: 0,
  linksUp: LINKS,
  oneSided: 0,
  singleCenter: 0,
  attention: [],
  killed: '在线',
}

it('overview, lists, network page, drawing, panel and router page say the same numbers and the same cause', async () => {
  const account = await newAccount()
  await ops.call(opsApi.setService, {
    account: account.username,
    kind: 'network_member',
    name: '标准服务',
    quantity: 20,
    start_time: Date.now() - DAY_MS,
    expired_time: Date.now() + 100 * DAY_MS,
  })
  const devices = new Map<string, Device>()
  for (const [n, note] of [...CENTERS, ...POINTS].entries()) devices.set(note, await account.start('NLSAME', n, note))
  const never = await account.claim('NLSAME', 9, NEVER)
  const { network_number } = await callEndpoint(
    origin,
    '/api/v1',
    networkApi.create,
    {
      network_name: '同一判断',
      center: CENTERS.map((note) => devices.get(note)!.serial),
      point: [...POINTS.map((note) => devices.get(note)!.serial), never.serial],
    },
    account.token,
  )

  const first = await visitor()
  await startSession(first, origin, account.username)
  const places = await openPlaces(first, tab, { network_number, serial: devices.get(KILLED)!.serial })
  const agree = async (name: string, expected: ExpectedHealth, withinMs: number) => {
    await expect.poll(places.read, { timeout: withinMs, interval: SECOND }).toEqual(toShown(expected))
    await places.shot(name)
  }
  const on = (note: string) => devices.get(note)!
  await agree('0 all well', WELL, 2 * SETTLED_MS)

  on(KILLED).agent.kill('SIGKILL')
  const one = { ...WELL, health: '部分异常 (1)', cause: '1 个成员离线', offline: 1, linksUp: 6, attention: [KILLED] }
  await agree('1 point killed', { ...one, killed: '离线' }, GONE_MS)

  await on(CUT).proxy.close()
  const two = { ...one, health: '部分异常 (2)', cause: '2 个成员离线', offline: 2, linksUp: 4, killed: '离线' }
  await agree('2 uplink cut', { ...two, attention: [KILLED, CUT] }, GONE_MS)

  on(STOPPED).agent.kill('SIGSTOP') // the other ends report its links long before its lease is over
  const silent = { ...two, health: '部分异常 (4)', cause: '2 个成员离线，2 条链路单边', linksUp: 2, oneSided: 2 }
  await agree('3 point frozen', { ...silent, attention: [KILLED, CUT, STOPPED, STOPPED] }, GONE_MS)

  const three = { ...two, health: '部分异常 (3)', cause: '3 个成员离线', offline: 3, linksUp: 2 }
  await agree('4 its lease over', { ...three, attention: [KILLED, CUT, STOPPED] }, LOST_MS)

  on(FIRST_CENTER).agent.kill('SIGKILL')
  const four = {
    ...three,
    health: '部分异常 (4)',
    cause: '1 个中心点离线，3 个成员离线',
    centers: 1,
    offline: 4,
    linksUp: 1,
    singleCenter: 1,
  }
  await agree('5 centre killed', { ...four, attention: [FIRST_CENTER, KILLED, CUT, STOPPED] }, GONE_MS)

  on(SECOND_CENTER).agent.kill('SIGKILL')
  const down = {
    ...four,
    health: '中断',
    cause: '两个中心点均离线',
    centers: 0,
    offline: 5,
    linksUp: 0,
    singleCenter: 0,
    attention: [BOTH_CENTERS],
  }
  await agree('6 both centres', down, GONE_MS)

  for (const note of [CUT, STOPPED]) on(note).agent.kill('SIGKILL') // one agent a folder
  for (const note of [...CENTERS, KILLED, CUT, STOPPED]) on(note).folder.run(origin)
  await agree('7 all back', WELL, LOST_MS)
}, 420_000)

/** Addresses of the network and of the router that is watched. */
interface Watched {
  readonly network_number: string
  readonly serial: string
}

/** Every page that evaluates, each in a tab of its own. */
async function openPlaces(first: Page, newTab: (page: Page) => Promise<Page>, { network_number, serial }: Watched) {
  const network = `/network/detail?network_number=${network_number}`
  const addresses = {
    overview: '/dashboard',
    networks: '/network/lists',
    routers: '/router/lists',
    table: `${network}&view=table`,
    links: `${network}&view=links`,
    drawing: `${network}&view=graph&member=${serial}`,
    router: `/router/detail?router_name=${serial}`,
  } as const
  const pages = {} as Record<keyof typeof addresses, Page>
  for (const [place, address] of Object.entries(addresses) as [keyof typeof addresses, string][]) {
    pages[place] = await newTab(first)
    await pages[place].goto(address)
  }
  const texts = async () => {
    const all = Object.entries(pages).map(async ([place, page]) => [place, await page.locator('main').innerText()])
    return Object.fromEntries(await Promise.all(all)) as Record<keyof typeof addresses, string>
  }
  return {
    read: async () => toShownTexts(await texts()),
    shot: async (name: string) => {
      if (SHOTS === undefined) return
      for (const [place, page] of Object.entries(pages))
        await page.screenshot({ path: `${SHOTS}/${name} ${place}.png`, fullPage: true })
    },
  }
}

type Texts = Readonly<Record<'overview' | 'networks' | 'routers' | 'table' | 'links' | 'drawing' | 'router', string>>

const states = (online: number, offline: number, never: number) => ({ online, offline, never })
const ratio = (count: number, total: number) => `${count}/${total}`

/** Values read from each page while the expected health lasts. */
function toShown({
  health,
  cause,
  centers,
  offline,
  linksUp,
  oneSided,
  singleCenter,
  attention,
  killed,
}: ExpectedHealth) {
  const online = MEMBERS - 1 - offline
  const counts = states(online, offline, 1)
  const faults = { down: 0, oneSided, singleCenter }
  const links = centers === 0 ? `未知 ${LINKS}` : ratio(linksUp, LINKS) // nobody reports on a link without its centre
  const page = { health, cause, centers: ratio(centers, 2), links, counts, faults }
  return {
    overview: {
      health,
      centers: page.centers,
      members: ratio(online, MEMBERS),
      links: page.links,
      counts,
      status: { offline, ...faults },
      attention: attention.toSorted(),
    },
    networks: { health, counts },
    routers: { counts, killed },
    table: { ...page, killed },
    links: { ...page, up: linksUp },
    drawing: { ...page, node: killed, panel: killed },
    router: { killed },
    isSameReason: true,
  }
}

const find = (text: string, pattern: RegExp): readonly string[] => pattern.exec(text)?.slice(1) ?? []
const between = (text: string, start: string, end: string): string => {
  const from = text.slice(Math.max(text.indexOf(start), 0))
  return end === '' ? from : from.slice(0, from.indexOf(end))
}
const countWord = (text: string, word: string): number =>
  Number(find(text, new RegExp(`(?:^|[^近未])${word}\\s+(\\d+)`))[0] ?? 0)
const countStates = (text: string) =>
  states(countWord(text, '在线'), countWord(text, '离线'), countWord(text, '从未上线'))

/** The same, of the texts of the pages. */
function toShownTexts(texts: Texts) {
  const rows = between(texts.overview, '待处理', '硬件成员在线').split('\n')
  const [health, centers, members, links] = find(
    between(texts.overview, '组网健康', ''),
    new RegExp(`${NAME}\\s+(.+)\\s+(\\d+/\\d+)\\s+(\\d+/\\d+)\\s+(\\d+/\\d+|未知 \\d+)`),
  )
  const toRow = (text: string) => find(text, new RegExp(`${KILLED}\\nNLSAME\\S+\\s+(.+)`))[0]
  return {
    overview: {
      health,
      centers,
      members,
      links,
      counts: countStates(between(texts.overview, '硬件成员在线', '软件成员在线')),
      status: toStatus(between(texts.overview, '', '更新于')),
      attention: rows.filter((line) => [NAME, BOTH_CENTERS, ...CENTERS, ...POINTS].includes(line)).toSorted(),
    },
    networks: {
      health: find(texts.networks, new RegExp(`${NAME}\\n\\d+\\s+(.+)`))[0],
      counts: countStates(between(texts.networks, '有效', '中心组网')),
    },
    routers: { counts: countStates(between(texts.routers, '软件成员', '状态')), killed: toRow(texts.routers) },
    table: { ...toHead(texts.table), killed: toRow(texts.table) },
    links: { ...toHead(texts.links), up: texts.links.split('\n').filter((line) => line === '连通').length },
    drawing: {
      ...toHead(texts.drawing),
      node: toNodeState(find(texts.drawing, new RegExp(`${KILLED}\\n(.*100\\.[\\d. ·]+)`))[0]),
      panel: find(texts.drawing, /状态\n(.+)/)[0],
    },
    router: { killed: toRow(texts.router) },
    isSameReason: isSameReason(texts, rows),
  }
}

/** Status line of the overview: 2 条链路单边. */
function toStatus(text: string) {
  const count = (words: string) => Number(find(text, new RegExp(`(\\d+) ${words}`))[0] ?? 0)
  const faults = { down: count('条链路断开'), oneSided: count('条链路单边'), singleCenter: count('个成员单中心') }
  return { offline: count('台硬件离线'), ...faults }
}

/** Head and chips of the network's page. */
function toHead(text: string) {
  const [health, cause = '', centers, links] = find(
    text,
    new RegExp(`${NAME}\\n(.+)\\n(?:(.+)\\n)?中心点 (\\d+/\\d+)\\n链路 (\\d+/\\d+|未知 \\d+)`),
  )
  const chips = between(text, '共 ', '拓扑图')
  const faults = {
    down: countWord(chips, '链路断开'),
    oneSided: countWord(chips, '链路单边'),
    singleCenter: countWord(chips, '单中心'),
  }
  return { health, cause, centers, links, counts: countStates(chips), faults }
}

/** A node names its state before its addresses unless it is well. */
const toNodeState = (line = ''): string => line.replace(/ ?100\.[\d. ·]+$/, '') || (line === '' ? '' : '在线')

/** Panel, router page and, where it has a row, the overview name the same reason. */
function isSameReason({ drawing, router }: Texts, rows: readonly string[]): boolean {
  const [reason] = find(drawing, /原因\n(.+)/)
  const row = rows.indexOf(KILLED)
  if (reason === undefined) return row === -1
  return router.includes(reason) && (row === -1 || (rows[row + 1] ?? '').includes(reason))
}
