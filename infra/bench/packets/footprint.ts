import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { WebSocket } from 'ws'
import { networkApi } from '#contract/network/index.ts'
import { opsApi } from '#contract/ops/index.ts'
import { DAEMONS } from '#infra/agent/drivers/linux/frr/daemons.ts'
import { inRoot } from '#infra/local/paths.ts'
import { CLIENT, routerName } from '#infra/lab/bed/plan.ts'
import { SERVICE_ADDRESS } from '#infra/lab/bed/sites.ts'
import { PLANT } from '#infra/lab/customers.ts'
import type { Lab } from '#infra/lab/lab.ts'
import { poll } from '#infra/lab/poll.ts'
import { type Output, watchOutput } from '#infra/lab/software/output.ts'
import { clearHost, readSessions } from '#tests/lab/router-state.ts'
import { type ClaimedDevice, claimDevice, openSession, operatorCalls } from '../account.ts'
import { openViewer } from '../live-clients.ts'
import { type Finding, median } from '../report.ts'
import { cpuSeconds } from '../stack.ts'
import { untilReady } from './by-hand.ts'
import { dial, readPoint, separatePoints, startViews } from './hundred/dialled-points.ts'
import type { PointsPlan } from './hundred/points.ts'
import { MOVES, type Rounds } from './rounds.ts'
import { pssMiB, rssMiB } from './usage.ts'

/*
 * Memory and processor time of a centre with a hundred points, whose tunnels stand and whose BGP sessions have BFD. The points
 * are made by hand at one host. Agent and FRR are those of the centre; a client link is the OpenVPN of a point.
 */

const CENTER = 'F'
const LINKS = 100
const NETWORK = '百点网'
const READY_MS = 180_000
const SETTLED_MS = 20_000
const WINDOW_MS = 20_000
const TERM_MS = 86_400_000
/** Points that are dialled at a time. */
const AT_ONCE = 10

const BUDGETS = { clientMiB: 6, frrMiB: 35, agentMiB: 90, idlePercent: 1, watchedPercent: 5 } as const

export async function benchFootprint(lab: Lab, rounds: Rounds): Promise<readonly Finding[]> {
  const network = await createNetwork(lab)
  const outputs = await dialPoints(lab, network.points)
  try {
    await poll(
      `${LINKS} sessions stand`,
      READY_MS,
      async () => (await readSessions(lab.bed, CENTER, lab.folder)).peers.size,
      (count) => count === LINKS,
    )
    await sleep(SETTLED_MS)
    return await rounds(() => measure(lab, network.number))
  } finally {
    await Promise.all(outputs.map((output) => output.stop()))
    await clearHost(lab.bed, CLIENT)
    await lab.agents.get(CENTER)?.end('SIGTERM')
    await clearHost(lab.bed, routerName(CENTER))
    await lab.customers[0].call(networkApi.delete, { network_number: network.number })
  }
}

async function measure(lab: Lab, number: string): Promise<readonly Finding[]> {
  const agent = lab.agents.get(CENTER)?.pid ?? 0
  const clients = pidsOf(lab, CLIENT, 'openvpn').map(pssMiB)
  const daemons = DAEMONS.map((daemon) => ({ daemon, mib: sum(pidsOf(lab, routerName(CENTER), daemon).map(pssMiB)) }))
  const idle = await measurePercent(agent)
  const viewers = await openViewers(lab, number)
  await sleep(SETTLED_MS / 4)
  const watched = await measurePercent(agent)
  for (const viewer of viewers) viewer.terminate()
  const [memory, share] = [
    { unit: 'MB', ...MOVES },
    { unit: '% of a core', ...MOVES },
  ]
  const at = `at ${LINKS} links`
  return [
    { what: 'a client link, PSS', value: median(clients), budget: BUDGETS.clientMiB, ...memory },
    {
      what: `FRR ${at}, PSS`,
      value: sum(daemons.map(({ mib }) => mib)),
      budget: BUDGETS.frrMiB,
      ...memory,
      note: daemons.map(({ daemon, mib }) => `${daemon} ${mib.toFixed(0)}`).join(', '),
    },
    { what: `agent ${at}, RSS`, value: rssMiB(agent), budget: BUDGETS.agentMiB, ...memory },
    { what: `agent ${at}, nobody watching`, value: idle, budget: BUDGETS.idlePercent, ...share },
    { what: `agent ${at}, watched`, value: watched, budget: BUDGETS.watchedPercent, ...share },
  ]
}

const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0)

const pidsOf = ({ bed }: Lab, host: string, program: string): readonly number[] =>
  [...bed.processes(host)].flatMap(([pid, name]) => (name === program ? [pid] : []))

/** Share of one core that a process takes for a while, in percent. */
async function measurePercent(pid: number): Promise<number> {
  const [before, startedAt] = [cpuSeconds(pid), performance.now()]
  await sleep(WINDOW_MS)
  return ((cpuSeconds(pid) - before) * 100_000) / (performance.now() - startedAt)
}

/** Page of the router with its interfaces, and that of the network with the throughput of its trunk. */
async function openViewers(
  { stack, customers: [customer] }: Lab,
  network_number: string,
): Promise<readonly WebSocket[]> {
  const { origin } = stack
  const router_name = customer.devices.get(CENTER)?.serial ?? ''
  const token = await openSession(stack, customer.username)
  const router = await openViewer(origin, token, { kind: 'router', router_name }, () => {})
  const network = await openViewer(origin, token, { kind: 'network', network_number }, () => {})
  network.send(JSON.stringify({ type: 'rates', ids: [`trunk:${router_name}`] }))
  return [router, network]
}

interface HundredNetwork {
  readonly number: string
  readonly points: readonly ClaimedDevice[]
}

/** Claims the points, and creates their network, of which the router is the centre. */
async function createNetwork(lab: Lab): Promise<HundredNetwork> {
  const { stack, customers, agents } = lab
  const { call, username, networks, devices } = customers[0]
  const seats = { account: username, kind: 'network_member', name: 'network_member', quantity: 2 * LINKS } as const
  const start_time = Date.now()
  await operatorCalls(stack)(opsApi.setService, { ...seats, start_time, expired_time: start_time + TERM_MS })
  await call(networkApi.delete, { network_number: networks.get(PLANT.name) ?? '' })
  agents.get(CENTER)?.start()
  const points: ClaimedDevice[] = []
  for (let n = 1; n <= LINKS; n++) points.push(await claimDevice(stack, call, `NLPOINT${n}`, `点${n}`))
  const { network_number: number } = await call(networkApi.create, {
    network_name: NETWORK,
    center: [devices.get(CENTER)?.serial ?? ''],
    point: points.map(({ serial }) => serial),
  })
  return { number, points }
}

const segmentOf = (n: number): string => `10.${100 + Math.floor(n / 100)}.${n % 100}.0/24`

/** Starts the agents of the points, and once they have their documents the tunnels and sessions. */
async function dialPoints({ bed, folder }: Lab, devices: readonly ClaimedDevice[]): Promise<readonly Output[]> {
  const states = join(folder, 'points')
  const plan: PointsPlan = {
    server: `http://${SERVICE_ADDRESS}`,
    folder: states,
    points: devices.map(({ serial, code }, n) => ({ serial, code, lan: segmentOf(n + 1).replace('0/24', '1/24') })),
  }
  const child = bed.start(CLIENT, [process.execPath, inRoot('infra/bench/packets/hundred/points.ts')], {
    output: 'pipe',
  })
  const agents = watchOutput('the agents of the points', child)
  child.stdin?.end(JSON.stringify(plan))
  const read = () => devices.map(({ serial }, n) => readPoint(join(states, serial), n + 1))
  const points = await poll(
    'every point has its document',
    READY_MS,
    () => read().filter((point) => point !== null),
    (ready) => {
      if (agents.hasEnded())
        throw new Error(
          agents
            .lines()
            .map(({ text }) => text)
            .join('\n'),
        )
      return ready.length === LINKS
    },
  )
  const tunnels: Output[] = []
  for (let n = 0; n < points.length; n += AT_ONCE) {
    const some = await Promise.all(
      points.slice(n, n + AT_ONCE).map((point) => dial(bed, CLIENT, point, join(folder, 'dialled'))),
    )
    await untilReady(some)
    tunnels.push(...some)
  }
  await separatePoints(bed, CLIENT, points)
  return [agents, ...tunnels, ...(await startViews(bed, CLIENT, points, join(folder, 'views')))]
}
