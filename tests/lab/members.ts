import { cpSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { networkApi } from '#contract/network/index.ts'
import { opsApi } from '#contract/ops/index.ts'
import { operatorCalls } from '#infra/bench/account.ts'
import { type LabAgent, openAgent, spareOf } from '#infra/lab/agents.ts'
import { hostName } from '#infra/lab/bed/plan.ts'
import { SERVICE_ADDRESS, SPARES, type SiteName, hostAddress } from '#infra/lab/bed/sites.ts'
import { type Customer, OFFICE, officeOf } from '#infra/lab/customers.ts'
import type { Lab } from '#infra/lab/lab.ts'
import { cutOff } from '#infra/lab/packets/cut.ts'
import { startPings } from '#infra/lab/packets/ping.ts'
import { poll } from '#infra/lab/poll.ts'
import { untilReached, untilUnreached } from './basis.ts'
import { type Check, requireThat } from './check.ts'
import { clearHost, readCarriers, readRules, readTunnels, readTunnelsAt } from './router-state.ts'
import { type SpareRouter, untilSpare, withSpare } from './spare-router.ts'
import { ALL, readAllCarriers, requireNoneLost, requireSame, untilOfficeWell, untilReceived } from './unmoved.ts'

/* Checks of members: those that leave, their keys in other hands, and changes that move nobody else. */

const GONE_MS = 2_000
const CLEAN_MS = 15_000
const BACK_MS = 30_000

/** Files of a router that name a network, or tunnels of it, by their path or in their contents. */
function findTraces({ folder }: LabAgent, number: string): readonly string[] {
  return ['state', 'run'].flatMap((part) =>
    readdirSync(join(folder, part), { recursive: true, withFileTypes: true }).flatMap((entry) => {
      const path = join(entry.parentPath, entry.name)
      const isNamed = path.includes(number) || /^ov\d/.test(entry.name)
      const isTrace = isNamed || (entry.isFile() && readFileSync(path, 'utf8').includes(number))
      return isTrace ? [path.slice(folder.length + 1)] : []
    }),
  )
}

const REMOVED: Check = {
  number: 42,
  title:
    'a removed member is refused within 2 s, and no tunnel, process, rule, route, file or key of the network is left on it',
  needs: 'linux',
  async run(lab) {
    const { bed, agents, customers, within } = lab
    const { call, network_number, name } = officeOf(customers[0])
    const agent = agents.get('D')
    requireThat(agent !== undefined, 'no agent of D')
    await untilReached(bed, 'C', 'D')
    requireThat(findTraces(agent, network_number).length > 0, 'D has no file of the network')
    await call(networkApi.removeMember, { network_number, router_name: name('D'), confirm: 1 })
    try {
      await untilUnreached(bed, 'C', 'D', within(GONE_MS))
      await poll(
        'nothing of the network is left on D',
        CLEAN_MS,
        async () => [
          ...(await readTunnels(bed, 'D')).keys(),
          ...readCarriers(bed, 'D').filter((line) => line.startsWith('openvpn')),
          ...(await readRules(bed, 'D')),
          ...findTraces(agent, network_number),
        ],
        (left) => left.length === 0,
      )
    } finally {
      await call(networkApi.addMember, { network_number, router_name: name('D'), member_type: 'point' })
    }
    await untilOfficeWell(lab)
    await untilReached(bed, 'C', 'D')
  },
}

const REFUSALS = 2

/** Refusals of the copy in the logs of a centre's servers. */
function countRefusals(agent: LabAgent | undefined): number {
  const run = join(agent?.folder ?? '', 'run')
  const texts = readdirSync(run)
    .filter((name) => /^ov\d.*\.log$/.test(name))
    .map((name) => readFileSync(join(run, name), 'utf8'))
  return texts.flatMap((text) =>
    text.split('\n').filter((line) => line.includes(SPARES.copy.address) && line.includes('revoked')),
  ).length
}

const STOLEN: Check = {
  number: 43,
  title: 'with key and documents of a deleted router another machine gets no tunnel',
  needs: 'linux',
  run: (lab) =>
    withSpare(lab, async (spare) => {
      const { bed, folder, driver, agents } = lab
      await spare.join()
      const place = spareOf('copy', `copy-${spare.serial}`)
      cpSync(join(spare.agent.folder, 'state'), join(folder, place.name, 'state'), { recursive: true })
      await spare.delete()
      await untilSpare(lab, false, lab.within(GONE_MS))
      await clearHost(bed, 'spare')
      const cut = await cutOff(bed, SPARES.copy.address, SERVICE_ADDRESS) // nobody says to it that it is deleted
      const copy = openAgent(bed, place, spare.agent.device, driver, folder)
      copy.start()
      try {
        await poll(
          'both centres refuse the copy again and again',
          BACK_MS,
          () => OFFICE.center.map((site) => countRefusals(agents.get(site))),
          (counts) => counts.every((count) => count >= REFUSALS),
        )
        const tunnels = [...(await readTunnelsAt(bed, 'copy'))]
        requireThat(tunnels.length === 0, `the copy has tunnels: ${tunnels.join('; ')}`)
        await untilSpare(lab, false, lab.within(GONE_MS))
        await cut.mend()
        await poll(
          'the service refuses the copy',
          BACK_MS,
          () => copy.refusals(),
          (count) => count > 0,
        )
        requireThat(copy.connections() === 0, 'the service takes the copy')
      } finally {
        await clearHost(bed, 'copy')
        await cut.mend().catch(() => {}) // mended already
      }
    }),
}

/** Sends a device its configuration again, and waits for its result. */
async function sendAgain(customer: Customer, site: SiteName): Promise<void> {
  const { call, network_number, name } = officeOf(customer)
  const job = await call(networkApi.reSendConfig, { network_number, router_name: name(site) })
  requireThat(job !== null, 'no job')
  await poll(
    `${site} has its configuration again`,
    BACK_MS,
    () => call(networkApi.job, { network_number, job_id: job.job_id }),
    ({ state }) => state === 'done',
  )
}

const YEAR_MS = 365 * 86_400_000

/** Sells a router a rate, and waits until its kernel has it. */
async function setRate({ stack, bed }: Lab, { serial }: SpareRouter): Promise<void> {
  const sold = { edition: 'shared', bandwidth: 20, max_bandwidth: 40, expired_time: Date.now() + YEAR_MS } as const
  await operatorCalls(stack)(opsApi.saasSet, { serial, group: '', pool: '', country: '', ...sold })
  await poll(
    'the added router has its rate',
    BACK_MS,
    async () => (await bed.run('spare', ['tc', 'qdisc', 'show', 'dev', 'wan'])).output,
    (text) => text.includes('rate 20Mbit'),
  )
}

const UNTOUCHED: Check = {
  number: 45,
  title: 'a configuration sent again, a prefix row, a new member and a rate lose no ping and move no process elsewhere',
  needs: 'linux',
  async run(lab) {
    const { bed, customers } = lab
    const { call, network_number } = officeOf(customers[0])
    const rows = (names: readonly string[]) =>
      call(networkApi.editPrefix, {
        network_number,
        prefix: names.map((name, n) => ({ ip: `10.${n}.0.0`, mask: n === 0 ? 8 : 16, ge: 16, le: 32, name })),
      })
    await untilReached(bed, 'C', 'D')
    const before = readAllCarriers(bed)
    const pings = startPings(bed, hostName('C'), hostAddress('D'))
    for (const site of ALL) await sendAgain(customers[0], site)
    await untilReceived(lab, OFFICE.center, () => rows(['全部']))
    await untilReceived(lab, OFFICE.center, () => rows([]))
    await withSpare(lab, async (spare) => {
      await spare.join()
      const own = [...bed.processes('spare')].filter(([, program]) => program === 'openvpn').join('; ')
      await setRate(lab, spare)
      requireThat(
        own === [...bed.processes('spare')].filter(([, program]) => program === 'openvpn').join('; '),
        'the rate restarts tunnels',
      )
      requireSame(before, readAllCarriers(bed))
    })
    await untilOfficeWell(lab)
    requireNoneLost(await pings.stop())
    requireSame(before, readAllCarriers(bed))
  },
}

export const MEMBERS: readonly Check[] = [REMOVED, STOLEN, UNTOUCHED]
