import { copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { networkApi } from '#contract/network/index.ts'
import type { Ciphers } from '#contract/network/networks.ts'
import { hostName } from '#infra/lab/bed/plan.ts'
import { hostAddress } from '#infra/lab/bed/sites.ts'
import { messageOfError } from '#infra/agent/log.ts'
import { OFFICE, officeOf } from '#infra/lab/customers.ts'
import type { LabAgent } from '#infra/lab/agents.ts'
import type { Lab } from '#infra/lab/lab.ts'
import { startPings } from '#infra/lab/packets/ping.ts'
import { poll } from '#infra/lab/poll.ts'
import { untilReached } from './basis.ts'
import { type Check, requireThat } from './check.ts'
import { withSpare } from './spare-router.ts'
import { readAllCarriers, requireNoneLost, requireSame } from './unmoved.ts'

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

/** Tunnels of the network at its points. E has one of another network as well: that of a slot with a single tunnel. */
const readPoints = ({ agents }: Lab) =>
  OFFICE.point.flatMap((site) => {
    const tunnels = Object.entries(readCiphers(agents.get(site)!))
    const slots = Map.groupBy(tunnels, ([name]) => name.split('c')[0])
    const own = [...slots.values()].filter(({ length }) => length === OFFICE.center.length).flat()
    return own.map(([name, cipher]) => `${site} ${name} ${cipher}`)
  })

const untilCiphers = (lab: Lab, pattern: RegExp) =>
  poll(
    `every tunnel uses ${pattern.source}`,
    lab.within(CHANGED_MS),
    () => readPoints(lab),
    (lines) => lines.length === OFFICE.point.length * OFFICE.center.length && lines.every((line) => pattern.test(line)),
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

const OPENVPN = '/usr/sbin/openvpn'
const REFUSED = /不支持/
/** Answers of three seconds, in which a document would have arrived. */
const SETTLED_ANSWERS = 60

/** Command for a machine whose OpenVPN has no SM4: a script stands for it, in this program's own view of the disk. */
function withoutSm4({ folder }: Lab): readonly string[] {
  const place = join(folder, 'without-sm4')
  mkdirSync(place, { recursive: true })
  const [real, script] = [join(place, 'openvpn'), join(place, 'script')]
  copyFileSync(OPENVPN, real)
  const text = `#!/bin/sh\ncase "$1" in --show-ciphers) ${real} "$@" | grep -v SM4;; *) exec ${real} "$@";; esac\n`
  writeFileSync(script, text, { mode: 0o755 })
  return ['sh', '-c', `mount -n --bind ${script} ${OPENVPN} && exec "$@"`, 'sh']
}

const LACKING: Check = {
  number: 14,
  title: 'with one device whose OpenVPN has no SM4, 国密 is refused and no tunnel moves',
  needs: 'linux',
  run: (lab) =>
    withSpare(
      lab,
      async (spare) => {
        await spare.join()
        await untilCiphers(lab, / AES-256-GCM$/)
        const before = readAllCarriers(lab.bed)
        const pings = startPings(lab.bed, hostName('C'), hostAddress('D'))
        const answer = await setCiphers(lab, 'sm').then(() => 'set', messageOfError)
        requireThat(REFUSED.test(answer), `the answer: ${answer}`)
        const answers = pings.received()
        await poll(
          'answers',
          CHANGED_MS,
          () => pings.received(),
          (count) => count > answers + SETTLED_ANSWERS,
        )
        requireNoneLost(await pings.stop())
        requireSame(before, readAllCarriers(lab.bed))
        requireThat(
          readPoints(lab).every((line) => line.endsWith(' AES-256-GCM')),
          'a tunnel has another cipher',
        )
      },
      withoutSm4(lab),
    ),
}

export const CIPHERS: readonly Check[] = [CHINESE, BACK, LACKING]
