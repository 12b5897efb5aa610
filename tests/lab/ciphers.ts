import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { networkApi } from '#contract/network/index.ts'
import type { Ciphers } from '#contract/network/networks.ts'
import { hostName } from '#infra/lab/bed/plan.ts'
import { hostAddress } from '#infra/lab/bed/sites.ts'
import { OFFICE, officeOf } from '#infra/lab/customers.ts'
import type { LabAgent } from '#infra/lab/agents.ts'
import type { Lab } from '#infra/lab/lab.ts'
import { startPings } from '#infra/lab/packets/ping.ts'
import { poll } from '#infra/lab/poll.ts'
import { untilReached } from './basis.ts'
import { type Check, requireThat } from './check.ts'

/* Checks of ciphers: those that tunnels use, and the gap of their change. */

const CHANGED_MS = 15_000
const GAP_MS = 3_000
const CLIENT_LOG = /^ov\d+c\d+\.log$/
const CIPHER = /Data Channel: cipher '([\w-]+)'/g

/** Newest cipher of each tunnel that a router dials, by interface. */
function readCiphers({ folder }: LabAgent): Readonly<Record<string, string>> {
  const run = join(folder, 'run')
  const logs = readdirSync(run).filter((name) => CLIENT_LOG.test(name))
  return Object.fromEntries(
    logs.map((name) => {
      const text = readFileSync(join(run, name), 'utf8')
      return [name.replace('.log', ''), [...text.matchAll(CIPHER)].at(-1)?.[1] ?? '']
    }),
  )
}

const setCiphers = ({ customers: [customer] }: Lab, ncp_ciphers: Ciphers) => {
  const { call, network_number } = officeOf(customer)
  return call(networkApi.ciphers, { network_number, ncp_ciphers })
}

/** Tunnels of points C and D, which are in this network alone. */
const readPoints = ({ agents }: Lab) =>
  ['C', 'D'].flatMap((site) =>
    Object.entries(readCiphers(agents.get(site as 'C' | 'D')!)).map(([name, cipher]) => `${site} ${name} ${cipher}`),
  )

const untilCiphers = (lab: Lab, pattern: RegExp) =>
  poll(
    `every tunnel uses ${pattern.source}`,
    lab.within(CHANGED_MS),
    () => readPoints(lab),
    (lines) => lines.length === 2 * OFFICE.center.length && lines.every((line) => pattern.test(line)),
  )

const CHINESE: Check = {
  number: 12,
  title: 'with 国密 every tunnel uses SM4-CBC within 15 s, and no gap is longer than 3 s',
  needs: 'linux',
  async run(lab) {
    await untilReached(lab.bed, 'C', 'D')
    await untilCiphers(lab, / AES-256-GCM$/)
    const pings = startPings(lab.bed, hostName('C'), hostAddress('D'))
    await setCiphers(lab, 'sm')
    await untilCiphers(lab, / SM4-CBC$/)
    await untilReached(lab.bed, 'C', 'D')
    const { largestGapMs } = await pings.stop()
    requireThat(largestGapMs <= lab.within(GAP_MS), `${Math.round(largestGapMs)} ms without an answer`)
  },
}

const BACK: Check = {
  number: 13,
  title: 'back to the default ciphers, every tunnel uses AES-256-GCM',
  needs: 'linux',
  async run(lab) {
    await setCiphers(lab, 'default')
    await untilCiphers(lab, / AES-256-GCM$/)
    await untilReached(lab.bed, 'C', 'D')
  },
}

export const CIPHERS: readonly Check[] = [CHINESE, BACK]
