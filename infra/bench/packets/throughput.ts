import { networkApi } from '#contract/network/index.ts'
import type { Ciphers } from '#contract/network/networks.ts'
import { routerName } from '#infra/lab/bed/plan.ts'
import { SITES } from '#infra/lab/bed/sites.ts'
import { officeOf } from '#infra/lab/customers.ts'
import type { Lab } from '#infra/lab/lab.ts'
import { poll } from '#infra/lab/poll.ts'
import { untilReached } from '#tests/lab/basis.ts'
import { untilOfficeWell } from '#tests/lab/unmoved.ts'
import type { Finding } from '../report.ts'
import { handMade, returnToAgents, switchOff } from './bench-lab.ts'
import { type HandMadeRouter, runAt, startTunnels, untilReady } from './by-hand.ts'
import { sendFlow } from './iperf.ts'
import { MOVES, type Rounds } from './rounds.ts'
import { cpuSecondsAt } from './usage.ts'

/*
 * Throughput and processor time of one tunnel, that of a point to a centre without NAT, from host to host. The peer is the
 * same OpenVPN with static routes: no agent, no FRR, no packet filter.
 */

const [POINT, CENTER] = ['C', 'B'] as const
const HOSTS = [POINT, CENTER].map(routerName)
const SECONDS = 5
const CHANGED_MS = 60_000
const RATIO = 0.95
const CPU_RATIO = 1.1

interface Cipher {
  readonly name: string
  readonly choice: Ciphers
  /** Name in the rendered files. */
  readonly used: string
}

const AES_GCM: Cipher = { name: 'AES-GCM', choice: 'default', used: 'AES-256-GCM' }
const SM4: Cipher = { name: 'SM4', choice: 'sm', used: 'SM4-CBC' }

export async function benchThroughput(lab: Lab, rounds: Rounds): Promise<readonly Finding[]> {
  const aes = await rounds(() => compare(lab, AES_GCM))
  try {
    await setCipher(lab, SM4)
    return [...aes, ...(await rounds(() => compare(lab, SM4)))]
  } finally {
    await setCipher(lab, AES_GCM)
  }
}

async function compare(lab: Lab, { name }: Cipher): Promise<readonly Finding[]> {
  await untilReached(lab.bed, POINT, CENTER)
  const ours = await measure(lab)
  await tunnelByHand(lab)
  const peer = await measure(lab)
  await returnToAgents(lab, [POINT, CENTER])
  return [
    { what: `${name}: throughput`, value: ours.mbps, unit: 'Mbit/s' },
    { what: `${name}: plain OpenVPN`, value: peer.mbps, unit: 'Mbit/s' },
    {
      what: `${name}: throughput, ratio`,
      value: ours.mbps / peer.mbps,
      unit: '',
      budget: RATIO,
      must: 'reach',
      ...MOVES,
    },
    { what: `${name}: CPU of both ends`, value: ours.cpuMs, unit: 'ms/Mbit' },
    { what: `${name}: CPU of plain OpenVPN`, value: peer.cpuMs, unit: 'ms/Mbit' },
    { what: `${name}: CPU, ratio`, value: ours.cpuMs / peer.cpuMs, unit: '', budget: CPU_RATIO, ...MOVES },
  ]
}

/** Rate, and processor milliseconds of all programs of both routers for a megabit. */
async function measure({ bed }: Lab): Promise<{ readonly mbps: number; readonly cpuMs: number }> {
  const before = cpuSecondsAt(bed, HOSTS)
  const { mbps, mbit } = await sendFlow(bed, POINT, CENTER, SECONDS)
  return { mbps, cpuMs: ((cpuSecondsAt(bed, HOSTS) - before) * 1000) / mbit }
}

/** Ends everything at both routers, and starts the tunnel alone, with a route at either end. */
async function tunnelByHand(lab: Lab): Promise<void> {
  const { bed } = lab
  const [point, center] = [handMade(lab, POINT), handMade(lab, CENTER)]
  for (const site of [POINT, CENTER] as const) await switchOff(lab, site)
  for (const host of HOSTS) await runAt(bed, host, ['sysctl', '-qw', 'net.ipv4.ip_forward=1'])
  await untilReady(startTunnels(bed, center, (device) => device.endsWith('r')))
  await untilReady(startTunnels(bed, point, (device) => dials(point, device)))
  const link = linkToCenter(lab, point)
  await runAt(bed, routerName(POINT), ['ip', 'route', 'add', SITES[CENTER].lans[0].segment, 'via', link.remote_ip])
  await runAt(bed, routerName(CENTER), ['ip', 'route', 'add', SITES[POINT].lans[0].segment, 'via', link.local_ip])
  await untilReached(bed, POINT, CENTER)
}

const dials = ({ files }: HandMadeRouter, device: string): boolean =>
  files.get(`openvpn/${device}.conf`)?.includes(`remote ${SITES[CENTER].address} `) === true

function linkToCenter({ customers }: Lab, { document }: HandMadeRouter) {
  const { network_number, name } = officeOf(customers[0])
  const network = document.networks.find((one) => one.network_number === network_number)
  const link = network?.links.find(({ peer }) => peer === name(CENTER))
  if (!link) throw new Error(`${POINT} has no link to ${CENTER}`)
  return link
}

/** Sets the cipher of all tunnels, and waits until the point has it and all links are up. */
async function setCipher(lab: Lab, { choice, used }: Cipher): Promise<void> {
  const { call, network_number } = officeOf(lab.customers[0])
  await call(networkApi.ciphers, { network_number, ncp_ciphers: choice })
  await poll(
    `${POINT} uses ${used}`,
    CHANGED_MS,
    () => handMade(lab, POINT).files,
    (files) => [...files].some(([path, text]) => path.startsWith('openvpn/') && text.includes(used)),
  )
  await untilOfficeWell(lab)
}
