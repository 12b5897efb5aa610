import type { Output } from '#contract/kernel/endpoint.ts'
import type { DiagnosisRecord } from '#contract/network/diagnosis.ts'
import { networkApi } from '#contract/network/index.ts'
import { routerName } from '#infra/lab/bed/plan.ts'
import { SITES, type SiteName, WEB_ADDRESS, hostAddress } from '#infra/lab/bed/sites.ts'
import { OFFICE, officeOf } from '#infra/lab/customers.ts'
import type { Lab } from '#infra/lab/lab.ts'
import { whileCut } from '#infra/lab/packets/cut.ts'
import { poll } from '#infra/lab/poll.ts'
import { untilReached } from '../basis.ts'
import { type Check, requireThat } from '../check.ts'
import { untilWell } from '../stands.ts'

/* Check of explanations: for a staged fault the path analysis and the table of routes name what decides. */

const STAGED_MS = 40_000
const ANSWERED_MS = 70_000

type RouteRow = Output<typeof networkApi.actualRoutes>[number]

interface Fault {
  readonly title: string
  /** Router that is asked, and the address that it does not reach. */
  readonly from: SiteName
  /** Router with the first difference, unless it is the one that is asked. */
  readonly at?: SiteName
  readonly destination: string
  /** Last words of the verdict: the name of what decides. */
  readonly decides: RegExp
  /** Routers whose table of routes marks it, unless it is only the one that is asked. */
  readonly markedAt?: readonly SiteName[]
  /** True for the rows of the address as the table of routes has them under the fault. */
  isMarked(rows: readonly RouteRow[]): boolean
  /** Stages the fault for the time of some work. */
  stage(lab: Lab, work: () => Promise<void>): Promise<void>
}

const readRoutes = ({ customers: [customer] }: Lab, { from, destination }: Fault, site = from) => {
  const { call, network_number, name } = officeOf(customer)
  return call(networkApi.actualRoutes, { network_number, router_name: name(site), search: destination })
}

/** Waits until the device has the routes of the address that are configured. */
const untilRouted = (lab: Lab, fault: Fault) =>
  poll(
    `before ${fault.title} ${fault.from} has its route`,
    STAGED_MS,
    () => readRoutes(lab, fault),
    (rows) => rows.length > 0 && rows.every(({ verdict }) => verdict === 'same'),
  )

/** Runs a path analysis until it ends. */
async function analyse({ customers: [customer] }: Lab, { from, destination }: Fault): Promise<DiagnosisRecord> {
  const { call, network_number, name } = officeOf(customer)
  const target = { network_number, router_name: name(from) }
  const { job_id } = await call(networkApi.diagnose, { ...target, kind: 'path', destination })
  return poll(
    `the path to ${destination} is analysed`,
    ANSWERED_MS,
    () => call(networkApi.diagnosis, { network_number, job_id }),
    ({ state }) => state !== 'running',
  )
}

const has = (test: (row: RouteRow) => boolean) => (rows: readonly RouteRow[]) => rows.some(test)
const isGone = (rows: readonly RouteRow[]) => rows.length === 0

const ALL = { ip: '10.0.0.0', mask: 8, ge: 9, le: 32, name: '全部' } as const
const DENIED = { ip: '10.14.0.0', mask: 24, permission: 'deny', name: '拒绝' } as const

const ROW: Fault = {
  title: 'a prefix row that denies',
  from: 'C',
  destination: hostAddress('D'),
  decides: /被第1行前缀规则拒绝$/,
  isMarked: has(({ blocked_by, verdict }) => blocked_by === 1 && verdict === 'same'),
  async stage({ customers: [customer] }, work) {
    const { call, network_number } = officeOf(customer)
    try {
      await call(networkApi.editPrefix, { network_number, prefix: [DENIED, ALL] })
      await work()
    } finally {
      await call(networkApi.editPrefix, { network_number, prefix: [] })
    }
  },
}

const TWIN_SEGMENT = { gateway: '172.31.255.0', mask: 30 } as const

const TWIN_OFF: Fault = {
  title: 'the link of the centres off',
  from: 'A',
  destination: hostAddress('B'),
  decides: /双中心互通已关闭$/,
  isMarked: isGone,
  async stage(lab, work) {
    const { call, network_number, name } = officeOf(lab.customers[0])
    const enable = (on: 0 | 1) => call(networkApi.enableCenterLink, { network_number, enable: on })
    await call(networkApi.centerLink, { network_number, center_router_name: name('B'), ...TWIN_SEGMENT })
    await enable(1)
    await untilRouted(lab, TWIN_OFF).finally(() => enable(0))
    await work()
  },
}

const DEFAULT: Fault = {
  title: 'a default route that nobody announces',
  from: 'D',
  destination: WEB_ADDRESS,
  decides: /没有成员公布默认路由$/,
  isMarked: isGone,
  async stage(lab, work) {
    const { call, network_number, name } = officeOf(lab.customers[0])
    const set = (site: 'B' | 'D', mode: { model: 0 | 2 } | { model: 1; metric: number }) =>
      call(networkApi.defaultRoute, { network_number, router_name: name(site), ...mode })
    await set('B', { model: 1, metric: 30 })
    await set('D', { model: 2 })
    try {
      await untilRouted(lab, DEFAULT).finally(() => set('B', { model: 0 }))
      await work()
    } finally {
      await set('D', { model: 0 })
    }
  },
}

const TUNNEL: Fault = {
  title: 'a tunnel that is cut',
  from: 'C',
  destination: hostAddress('A'),
  decides: /隧道断开(：.+)?$/,
  isMarked: has(({ verdict, reason }) => verdict === 'missing' && reason.startsWith('隧道断开')),
  stage: ({ bed }, work) => whileCut(bed, [SITES.C.address, SITES.A.address], work),
}

/** Runs `ip` at a router. */
async function ip({ bed }: Lab, site: SiteName, ...argv: string[]): Promise<string> {
  const { code, output } = await bed.run(routerName(site), ['ip', ...argv])
  requireThat(code === 0, output)
  return output
}

const LAN: Fault = {
  title: 'a LAN port that is down',
  from: 'C',
  at: 'D',
  destination: hostAddress('D'),
  decides: /应送达本地网段.*LAN接口未连接，或设备未声明该网段$/,
  markedAt: ['C', 'D'],
  isMarked: has(({ verdict, reason }) => verdict === 'unreachable' && reason.endsWith('LAN接口未连接')),
  async stage(lab, work) {
    await ip(lab, 'D', 'link', 'set', 'lan', 'down')
    await work().finally(() => ip(lab, 'D', 'link', 'set', 'lan', 'up'))
  },
}

const LOST = /对端路由[AB]有该路由，本设备的路由表中缺失$/

/** Its routing daemon puts such a route back at once, and is therefore held. */
const KERNEL: Fault = {
  title: 'a route of the kernel that is deleted by hand',
  from: 'C',
  destination: hostAddress('D'),
  decides: LOST,
  isMarked: has(({ verdict, reason }) => verdict === 'missing' && LOST.test(reason)),
  async stage(lab, work) {
    const daemons = [...lab.bed.processes(routerName('C'))].filter(([, program]) => program === 'zebra')
    const send = (signal: 'SIGSTOP' | 'SIGCONT') => daemons.forEach(([pid]) => process.kill(pid, signal))
    send('SIGSTOP')
    try {
      await ip(lab, 'C', 'route', 'del', SITES.D.lans[0].segment, 'table', '200')
      await work()
    } finally {
      send('SIGCONT')
    }
  },
}

const FAULTS = [ROW, TWIN_OFF, DEFAULT, TUNNEL, LAN, KERNEL]

async function requireNamed(lab: Lab, fault: Fault): Promise<void> {
  const { title, from, at = from, markedAt = [from], decides, isMarked } = fault
  await fault.stage(lab, async () => {
    for (const site of markedAt)
      await poll(`${title}: the routes of ${site} mark it`, STAGED_MS, () => readRoutes(lab, fault, site), isMarked)
    const { verdict, reason, steps } = await analyse(lab, fault)
    const seen = JSON.stringify({ verdict, reason, steps })
    requireThat(verdict?.ok === 0 && decides.test(verdict.text), `${title}: ${seen}`)
    const wrong = steps.find(({ ok }) => ok === 0)
    const decider = officeOf(lab.customers[0]).name(at)
    requireThat(wrong?.router_name === decider, `${title}: the first difference is not at ${at}: ${seen}`)
  })
}

const NAMED: Check = {
  number: 52,
  title: 'for each of six staged faults the path analysis names what decides, and the table of routes marks it',
  needs: 'linux',
  async run(lab) {
    for (const fault of FAULTS) {
      await requireNamed(lab, fault)
      await untilWell(lab.customers[0], OFFICE.name)
    }
    for (const host of ['A', 'D']) await untilReached(lab.bed, 'C', host)
  },
}

export const FAULTS_NAMED: readonly Check[] = [NAMED]
