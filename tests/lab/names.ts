import type { ChildProcess } from 'node:child_process'
import { networkApi } from '#contract/network/index.ts'
import type { Bed } from '#infra/lab/bed/bed.ts'
import { INTERNET, hostName } from '#infra/lab/bed/plan.ts'
import { SITES, WEB_ADDRESS, addressIn, hostAddress } from '#infra/lab/bed/sites.ts'
import { officeOf } from '#infra/lab/customers.ts'
import { poll } from '#infra/lab/poll.ts'
import { untilReached } from './basis.ts'
import { type Check, requireThat } from './check.ts'

/* Check of names: hosts behind a router resolve those of the network by it. */

const NAME = 'erp.plant.test'
const OTHER_ANSWER = '192.0.2.30'
const ANSWER_MS = 20_000
const ASK =
  'const r = new (require("node:dns").promises.Resolver)({ timeout: 1000, tries: 1 });' +
  'r.setServers([process.argv[1]]); r.resolve4(process.argv[2]).then((a) => console.log(a.join()), () => process.exit(1))'

/** Address of the name by a server, as a host gets it; empty without an answer. */
async function resolve(bed: Bed, host: string, server: string): Promise<string> {
  const { code, output } = await bed.run(host, [process.execPath, '-e', ASK, server, NAME])
  return code === 0 ? output.trim() : ''
}

const NAME_SERVER =
  '--keep-in-foreground --no-resolv --no-hosts --bind-interfaces --user=root --pid-file= --conf-file=/dev/null --port=53'.split(
    ' ',
  )

/** Name server of one name at a host. */
const startNameServer = (bed: Bed, host: string, at: string, answer: string): ChildProcess =>
  bed.start(host, ['dnsmasq', ...NAME_SERVER, `--listen-address=${at}`, `--address=/${NAME}/${answer}`], {
    output: 'pipe',
  })

const RESOLVED: Check = {
  number: 30,
  title:
    'with a DNS server in the LAN of A, the host of D resolves its names by its router; other resolvers answer as before',
  needs: 'linux',
  async run({ bed, customers }) {
    const { call, network_number } = officeOf(customers[0])
    await untilReached(bed, 'D', 'A')
    const servers = [
      startNameServer(bed, hostName('A'), hostAddress('A'), hostAddress('A')),
      startNameServer(bed, INTERNET, WEB_ADDRESS, OTHER_ANSWER),
    ]
    const router = addressIn(SITES.D.lans[0].segment, 1)
    const byRouter = () => resolve(bed, hostName('D'), router)
    const byOther = () => resolve(bed, hostName('D'), WEB_ADDRESS)
    try {
      await poll('another resolver answers', ANSWER_MS, byOther, (answer) => answer === OTHER_ANSWER)
      await call(networkApi.dns, { network_number, dns: [hostAddress('A')] })
      await poll('the router answers', ANSWER_MS, byRouter, (answer) => answer === hostAddress('A'))
      const other = await byOther()
      requireThat(other === OTHER_ANSWER, `another resolver answers ${other || 'nothing'}`)
    } finally {
      await call(networkApi.dns, { network_number, dns: [] })
      for (const server of servers) server.kill('SIGKILL')
    }
    await poll('the router no longer answers', ANSWER_MS, byRouter, (answer) => answer === '')
  },
}

export const NAMES: readonly Check[] = [RESOLVED]
