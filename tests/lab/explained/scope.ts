import type { Input } from '#contract/kernel/endpoint.ts'
import { loginApi } from '#contract/login/index.ts'
import { networkApi } from '#contract/network/index.ts'
import { NETWORK_ERRORS } from '#contract/network/errors.ts'
import { ramApi } from '#contract/ram/index.ts'
import { ramRoleApi } from '#contract/ram-role/index.ts'
import { verifyApi } from '#contract/verify/index.ts'
import { messageOfError } from '#infra/agent/log.ts'
import { routerName } from '#infra/lab/bed/plan.ts'
import { WEB_ADDRESS, hostAddress } from '#infra/lab/bed/sites.ts'
import { OFFICE, officeOf } from '#infra/lab/customers.ts'
import type { Lab } from '#infra/lab/lab.ts'
import { watchOutput } from '#infra/lab/software/output.ts'
import { poll } from '#infra/lab/poll.ts'
import { type Call, callEndpoint, consoleCalls, outboxItem } from '#infra/local/api.ts'
import { type Check, requireThat } from '../check.ts'

/* Check of the reach of a diagnosis: a person whose role is limited to a network asks about its addresses alone. */

const PLANT = '生产网'
const PASSWORD = 'LabScope2026'
const FOREIGN = '10.99.0.1'
const ANSWERED_MS = 30_000
const KINDS = ['ping', 'traceroute', 'path'] as const

/** Calls by a sub-account that may edit OFFICE alone. */
async function openLimited({ stack, customers: [customer] }: Lab): Promise<Call> {
  const { call, network_number } = officeOf(customer)
  const none = { create: 0, edit: 0, delete: 0 } as const
  const network = { ...none, edit: 1, number: [network_number] }
  const auth = { easylink: { router: none, network }, monitor: none }
  const role = await call(ramRoleApi.create, { name: '办公网运维', auth })
  const person = { username: 'limited', nickname: '办公网运维', password: PASSWORD, role_id: role.id }
  await call(ramApi.create, person)
  const { domain } = await call(ramApi.domain, {})
  const { origin } = stack
  return consoleCalls(origin, async () => {
    const { uniqid } = await callEndpoint(origin, '/api/v1', verifyApi.code, { purpose: 'login' })
    const { code } = await outboxItem(origin, 'captcha', { uniqid })
    const credentials = { username: `${person.username}@${domain}`, password: PASSWORD, code, uniqid }
    return (await callEndpoint(origin, '/api/v1', loginApi.ram, credentials)).access_token
  })
}

/** Inner addresses of both ends of the links of the network PLANT. */
async function readPlant({ customers: [{ call, networks }] }: Lab): Promise<readonly string[]> {
  const { link } = await call(networkApi.status, { network_number: networks.get(PLANT) ?? '' })
  return link.flatMap(({ vpn_ip, center_vpn_ip }) => [vpn_ip, center_vpn_ip]).filter(Boolean)
}

/** Watches echo requests to addresses at all ports and tunnels of E, a line each. */
async function watchRequests({ bed }: Lab, addresses: readonly string[]) {
  const hosts = addresses.map((address) => `dst host ${address}`).join(' or ')
  const filter = `icmp[icmptype] == icmp-echo and (${hosts})`
  const output = watchOutput(
    'the capture at E',
    bed.start(routerName('E'), ['tcpdump', '-i', 'any', '-n', '-l', '--immediate-mode', filter], { output: 'pipe' }),
  )
  await output.until('listening on', ANSWERED_MS)
  return output
}

const SCOPE: Check = {
  number: 54,
  title:
    'a sub-account limited to one network of E asks about addresses of the other, of the internet and of no LAN: each is refused, and no such packet leaves E',
  needs: 'linux',
  async run(lab) {
    const { network_number, name } = officeOf(lab.customers[0])
    const limited = await openLimited(lab)
    const router_name = name('E')
    const plant = await readPlant(lab)
    requireThat(plant.length > 0, 'PLANT has no inner addresses')
    const outside = [hostAddress('F'), WEB_ADDRESS, FOREIGN, ...plant]
    const own = hostAddress('C')
    const capture = await watchRequests(lab, [...outside, own])
    try {
      for (const destination of outside)
        for (const kind of KINDS) await requireRefused(limited, { network_number, router_name, kind, destination })
      const inPlant = { network_number: lab.customers[0].networks.get(PLANT) ?? '', router_name, kind: 'ping' } as const
      const answer = await refusalOf(limited, { ...inPlant, destination: hostAddress('F') })
      requireThat(answer.includes(NETWORK_ERRORS.NETWORK_NOT_FOUND.msg), `in the other network: ${answer}`)
      const { job_id } = await limited(networkApi.diagnose, {
        network_number,
        router_name,
        kind: 'ping',
        destination: own,
      })
      const { verdict, reason } = await poll(
        'the ping within the network ends',
        ANSWERED_MS,
        () => limited(networkApi.diagnosis, { network_number, job_id }),
        ({ state }) => state !== 'running',
      )
      requireThat(verdict?.ok === 1, `within the network: ${verdict?.text ?? reason}`)
      await capture.until(`> ${own}:`, ANSWERED_MS)
    } finally {
      await capture.stop()
    }
    const left = capture.lines().filter(({ text }) => outside.some((address) => text.includes(`> ${address}:`)))
    requireThat(left.length === 0, `packets leave E: ${left.map(({ text }) => text).join('; ')}`)
  },
}

type Asked = Input<typeof networkApi.diagnose>

/** Message of a refused call; empty if it is accepted. */
const refusalOf = (call: Call, asked: Asked): Promise<string> =>
  call(networkApi.diagnose, asked).then(
    () => '',
    (error: unknown) => messageOfError(error),
  )

/** The refusal is that of an address outside of OFFICE, at its field. */
async function requireRefused(call: Call, asked: Asked): Promise<void> {
  const { code, msg, field } = NETWORK_ERRORS.DIAGNOSIS_DESTINATION
  const answer = await refusalOf(call, asked)
  const [sentence, place] = [`${code} ${msg.replace('{network}', OFFICE.name)}`, `"field":"${field}"`]
  const isRefused = answer.includes(sentence) && answer.includes(place)
  requireThat(isRefused, `${asked.kind} to ${asked.destination}: ${answer || 'accepted'}`)
}

export const SCOPED: readonly Check[] = [SCOPE]
