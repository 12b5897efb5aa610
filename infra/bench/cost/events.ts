import type { Endpoint, Input } from '#contract/kernel/endpoint.ts'
import { SERIES } from '#contract/kernel/hub-limits.ts'
import { opsApi } from '#contract/ops/index.ts'
import { signIn } from '#infra/demo/load.ts'
import { callEndpoint } from '#infra/local/api.ts'
import type { Stack } from '../stack.ts'
import { type Counts, plus, times } from './counts.ts'
import { type Device, type MeteredRouter, openViewer, startRouter } from './virtual-clients.ts'
import { VirtualClock } from './virtual-clock.ts'
import { SHANGHAI_OFFSET_MS } from '#contract/kernel/time.ts'
import { monitorApi } from '#contract/monitor/index.ts'
import { networkApi } from '#contract/network/index.ts'
import { routerApi } from '#contract/router/index.ts'

/** Routers of one account and of its one network, a centre and points; a fleet is many such accounts. */
export const PER_ACCOUNT = 20
const IDLE_ROUTERS = 2
const DROPS = 4

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Exactly one lease check of every router falls into it, and no full hour. */
const WINDOW_MS = 15 * MINUTE_MS
/** Hubs have read into memory what they keep there. */
const WARM_MS = 10 * MINUTE_MS
/** Behind a full hour: the rows of the hour before are written with the next counters. */
const HOUR_WRITTEN_MS = 6 * MINUTE_MS
const ACCOUNT = { username: 'cost01', password: 'Cost2026' }

/** What each event costs, counted on the running stack. */
export interface EventCounts {
  /** A claimed router connects for the first time and gets its document. */
  readonly firstConnect: Counts
  /** A router loses its connection and reconnects; also priced for each restart of its hub. */
  readonly drop: Counts
  /**
   * A router-day without viewers, after 180 days: each hour a row is written; at midnight a day of them is rolled up, and
   * so is a day of 30 days ago, and one of 180 days ago is deleted.
   */
  readonly idleDay: Counts
  /** An account whose alerts are on, for an hour. */
  readonly alertsHour: Counts
  /** An open console, without what it watches, for an hour. */
  readonly consoleHour: Counts
  /** An open network page for an hour, its members online. */
  readonly networkHour: Counts
  /** An open traffic page for an hour. */
  readonly streamHour: Counts
  readonly signIn: Counts
  readonly list: Counts
  readonly save: Counts
  readonly cron: Counts
  /** Bytes of a router's hub without its traffic, of one day's slots, and of a day once it is rolled up. */
  readonly hubBytes: number
  readonly slotDayBytes: number
  readonly rolledDayBytes: number
}

export async function countEvents(stack: Stack): Promise<EventCounts> {
  const clock = new VirtualClock(stack.origin, nextMidnight(Date.now() + 3 * HOUR_MS) - 3 * HOUR_MS + MINUTE_MS)
  await clock.leap(0)
  const run = new Run(stack, clock)
  const devices = await run.claimDevices()

  const routers: MeteredRouter[] = []
  const firstConnect = await run.count(async () => {
    for (const device of devices) routers.push(await startRouter(stack.origin, clock, device))
    await clock.advance(2 * MINUTE_MS)
    run.requireUp(routers)
  })
  clock.isSettling = false
  await clock.advance(WARM_MS)
  const unwatched = await run.count(() => clock.advance(WINDOW_MS))
  const consoleWindow = await run.watched({ kind: 'account' }, WINDOW_MS)
  const networkWindow = await run.watched({ kind: 'network', network_number: run.networkNumber }, WINDOW_MS)
  await clock.advance(HOUR_MS - (clock.now() % HOUR_MS) + HOUR_WRITTEN_MS)
  await run.switchAlerts(monitorApi.enable)
  const alertsWindow = await run.count(() => clock.advance(WINDOW_MS))
  await run.switchAlerts(monitorApi.close)
  clock.isSettling = true

  const calls = await run.countCalls()
  const drop = await run.count(async () => {
    for (const router of routers.slice(0, DROPS)) router.drop()
    await clock.advance(2 * MINUTE_MS)
    run.requireUp(routers)
  })
  for (const router of routers.splice(IDLE_ROUTERS)) await router.stop()
  await clock.advance(HOUR_MS - (clock.now() % HOUR_MS) + MINUTE_MS)

  clock.isSettling = false
  const streamWindow = await run.watched({ kind: 'router', router_name: devices[0]?.serial ?? '' }, WINDOW_MS)
  await clock.advance(nextMidnight(clock.now()) - clock.now() + MINUTE_MS)
  const { stored, slotDayBytes } = await run.fillDays(routers)
  const idleDay = await run.count(() => clock.advance(DAY_MS))
  run.requireUp(routers)
  const { faults } = await clock.counts()
  if (faults > 0) throw new Error(`the product logged ${faults} faults while it was counted`)

  const unwatchedHour = times(unwatched, HOUR_MS / WINDOW_MS / PER_ACCOUNT)
  const perHour = (window: Counts, online: number) => plus(times(window, HOUR_MS / WINDOW_MS), unwatchedHour, -online)
  return {
    firstConnect: times(firstConnect, 1 / PER_ACCOUNT),
    drop: times(drop, 1 / DROPS),
    idleDay: times(idleDay, 1 / IDLE_ROUTERS),
    alertsHour: perHour(alertsWindow, PER_ACCOUNT),
    consoleHour: perHour(consoleWindow, PER_ACCOUNT),
    networkHour: perHour(networkWindow, PER_ACCOUNT),
    streamHour: perHour(streamWindow, IDLE_ROUTERS),
    ...calls,
    hubBytes: stored,
    slotDayBytes,
    rolledDayBytes: idleDay.hubBytesInserted / IDLE_ROUTERS - slotDayBytes,
  }
}

/** In Asia/Shanghai, where the days of the stored traffic end. */
const nextMidnight = (at: number): number => Math.ceil((at + SHANGHAI_OFFSET_MS) / DAY_MS) * DAY_MS - SHANGHAI_OFFSET_MS

class Run {
  private readonly stack: Stack
  private readonly clock: VirtualClock
  networkNumber = ''

  constructor(stack: Stack, clock: VirtualClock) {
    this.stack = stack
    this.clock = clock
  }

  async count(run: () => Promise<unknown>): Promise<Counts> {
    const before = await this.clock.counts()
    await run()
    return plus(await this.clock.counts(), before, -1)
  }

  /** An account with its routers in one network; nothing of it is priced, it happens once in years. */
  async claimDevices(): Promise<Device[]> {
    const { origin, operatorToken } = this.stack
    const ops = <E extends Endpoint>(spec: E, input: Input<E>) =>
      callEndpoint(origin, '/ops/v1', spec, input, operatorToken)
    await ops(opsApi.createAccount, { ...ACCOUNT, nickname: '费用测量' })
    const term = { start_time: this.clock.now(), expired_time: this.clock.now() + 3 * 365 * DAY_MS }
    const members = { account: ACCOUNT.username, kind: 'network_member', name: '成员' } as const
    await ops(opsApi.setService, { ...members, ...term, quantity: PER_ACCOUNT })
    const token = await this.signIn()
    const devices: Device[] = []
    for (let n = 1; n <= PER_ACCOUNT; n++) {
      const serial = `NLCOST${String(n).padStart(4, '0')}`
      const { activation_code: code } = await ops(opsApi.provisionDevice, { serial, model: 'VR-100' })
      await callEndpoint(origin, '/api/v1', routerApi.add, { router_type: 1, username: serial, code }, token)
      devices.push({ serial, code, lan: `10.1.${n}.1/24` })
    }
    const [center = '', ...point] = devices.map(({ serial }) => serial)
    const plan = { network_name: '费用测量', center: [center], point }
    this.networkNumber = (await callEndpoint(origin, '/api/v1', networkApi.create, plan, token)).network_number
    return devices
  }

  signIn(): Promise<string> {
    return signIn(this.stack.origin, ACCOUNT.username, ACCOUNT.password)
  }

  async switchAlerts(call: typeof monitorApi.enable | typeof monitorApi.close): Promise<void> {
    await callEndpoint(this.stack.origin, '/api/v1', call, {}, await this.signIn())
    await this.clock.advance(0)
  }

  /** Opening is left out: it belongs to the console's calls. */
  async watched(request: Parameters<typeof openViewer>[3], ms: number): Promise<Counts> {
    const close = await openViewer(this.stack.origin, this.clock, await this.signIn(), request)
    await this.clock.advance(0)
    const counts = await this.count(() => this.clock.advance(ms))
    close()
    await this.clock.advance(0)
    return counts
  }

  async countCalls(): Promise<Pick<EventCounts, 'signIn' | 'list' | 'save' | 'cron'>> {
    const { origin } = this.stack
    const { networkNumber } = this
    let token = ''
    return {
      signIn: await this.count(async () => (token = await this.signIn())),
      list: await this.count(() => callEndpoint(origin, '/api/v1', networkApi.lists, {}, token)),
      save: await this.count(() =>
        callEndpoint(
          origin,
          '/api/v1',
          networkApi.name,
          { network_number: networkNumber, network_name: '改名' },
          token,
        ),
      ),
      cron: await this.count(() => this.clock.meter('cron')),
    }
  }

  /** The days that are rolled up or deleted at the end of the priced one, 180 days later, and the one before it. */
  async fillDays(routers: readonly MeteredRouter[]): Promise<{ stored: number; slotDayBytes: number }> {
    const { clock } = this
    const start = clock.now()
    const stored = Math.max(...(await clock.storedBytes()))
    const { hubBytesInserted } = await this.count(() => clock.advance(DAY_MS))
    await this.leapTo(start + (SERIES.days - SERIES.hourDays) * DAY_MS, routers)
    await clock.advance(DAY_MS)
    await this.leapTo(start + (SERIES.days - SERIES.slotDays) * DAY_MS, routers)
    await clock.advance(SERIES.slotDays * DAY_MS + HOUR_MS)
    return { stored, slotDayBytes: hubBytesInserted / IDLE_ROUTERS }
  }

  /** All routers are away meanwhile. */
  private async leapTo(at: number, routers: readonly MeteredRouter[]): Promise<void> {
    const { clock } = this
    clock.isSettling = true
    for (const router of routers) router.drop()
    await clock.leap(at - clock.now())
    await clock.advance(2 * MINUTE_MS)
    this.requireUp(routers)
    clock.isSettling = false
  }

  requireUp(routers: readonly MeteredRouter[]): void {
    const down = routers.filter((router) => !router.isUp()).map(({ serial }) => serial)
    if (down.length > 0) throw new Error(`not connected: ${down.join(' ')}`)
  }
}
