import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { keyFiles } from '#infra/agent/drivers/render/openvpn.ts'
import { opsApi } from '#contract/ops/index.ts'
import { operatorCalls } from '#infra/bench/account.ts'
import { hostName } from '#infra/lab/bed/plan.ts'
import { type SiteName, hostAddress } from '#infra/lab/bed/sites.ts'
import { officeOf } from '#infra/lab/customers.ts'
import type { Lab } from '#infra/lab/lab.ts'
import { startPings } from '#infra/lab/packets/ping.ts'
import { poll } from '#infra/lab/poll.ts'
import { untilReached } from './basis.ts'
import { type Check, requireThat } from './check.ts'
import { readCarriers } from './router-state.ts'
import { ALL, readAllCarriers, requireNoneLost, requireSame, untilOfficeWell } from './unmoved.ts'

/* Check of certificates: their renewal. */

const DAY_MS = 86_400_000
const RENEWED_MS = 120_000
const BACK_MS = 30_000
const GAP_MS = 2_000

/** Makes rows of the lab's own database say that all certificates end in ten days. The stack is down meanwhile. */
function bringEndsNear(data: string): void {
  const folder = join(data, 'state', 'd1', 'miniflare-D1DatabaseObject')
  const files = readdirSync(folder).filter((name) => /^[0-9a-f]{64}\.sqlite$/.test(name))
  let changed = 0
  for (const name of files) {
    const database = new DatabaseSync(join(folder, name))
    const hasTable = database.prepare("select 1 from sqlite_master where name = 'certificates'").get() !== undefined
    const change = 'update certificates set expires_at = ?'
    if (hasTable) changed += Number(database.prepare(change).run(Date.now() + 10 * DAY_MS).changes)
    database.close()
  }
  requireThat(changed > 0, 'the database has no certificate')
}

const stateOf = ({ agents }: Lab, site: SiteName): string => join(agents.get(site)?.folder ?? '', 'state')

/** Certificate of a router as it lies on its disk. */
const readCertificate = (lab: Lab, site: SiteName, number: string): string => {
  const folders = { keys: join(stateOf(lab, site), 'keys'), shared: '' }
  return readFileSync(keyFiles(folders, number).certificate, 'utf8')
}

/** Number of a router's tunnels that were started with a certificate: the agent keeps it beside their configuration. */
function countTunnelsWith(lab: Lab, site: SiteName, certificate: string): number {
  const folder = join(stateOf(lab, site), 'openvpn')
  const names = readdirSync(folder).filter((name) => name.endsWith('.pem'))
  return names.filter((name) => readFileSync(join(folder, name), 'utf8') === certificate).length
}

const RENEWED: Check = {
  number: 51,
  title: 'certificates near their end are renewed without a lost packet, and tunnels start with them with a gap of 2 s',
  needs: 'linux',
  async run(lab) {
    const { bed, stack, customers, within } = lab
    const { network_number } = officeOf(customers[0])
    await untilReached(bed, 'C', 'D')
    const before = ALL.map((site) => readCertificate(lab, site, network_number))
    const processes = readAllCarriers(bed)
    const pings = startPings(bed, hostName('C'), hostAddress('D'))
    await stack.pause(() => {
      bringEndsNear(stack.data)
      return Promise.resolve(stack.data)
    })
    await operatorCalls(stack)(opsApi.refreshHubs, {}) // rows changed behind the hubs' back
    await poll(
      'every router has another certificate',
      RENEWED_MS,
      () => ALL.map((site) => readCertificate(lab, site, network_number)),
      (now) => now.every((text, n) => text !== before[n]),
    )
    await untilOfficeWell(lab)
    requireNoneLost(await pings.stop())
    requireSame(processes, readAllCarriers(bed))
    const renewed = readCertificate(lab, 'C', network_number)
    requireThat(countTunnelsWith(lab, 'C', renewed) === 0, 'a tunnel has restarted')
    const restarts = startPings(bed, hostName('C'), hostAddress('D'))
    const list = () => readCarriers(bed, 'C').filter((line) => line.startsWith('openvpn '))
    for (const [n, victim] of list().entries()) {
      process.kill(Number(victim.split(' ')[1]), 'SIGTERM')
      await poll(
        'the tunnel starts with the new certificate',
        BACK_MS,
        () => countTunnelsWith(lab, 'C', renewed),
        (count) => count === n + 1,
      )
      await untilOfficeWell(lab)
    }
    const { largestGapMs } = await restarts.stop()
    requireThat(largestGapMs <= within(GAP_MS), `${Math.round(largestGapMs)} ms without an answer`)
  },
}

export const CERTIFICATES: readonly Check[] = [RENEWED]
