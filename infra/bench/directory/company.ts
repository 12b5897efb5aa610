import { lookup } from 'node:dns/promises'
import { READER, SUFFIX } from '#tests/support/directory/people.ts'
import { SERVER_NAME } from '#tests/support/directory/pki.ts'
import type { Endpoint, Input } from '#contract/kernel/endpoint.ts'
import { LDAP_SYNC } from '#contract/ldap/limits.ts'
import { opsApi } from '#contract/ops/index.ts'
import { heldCode } from '#infra/agent/activation-code.ts'
import { Agent } from '#infra/agent/agent.ts'
import { systemClock } from '#infra/agent/clock.ts'
import { openWebSocket } from '#infra/agent/hub-socket.ts'
import { silentLog } from '#infra/agent/log.ts'
import { memoryStore } from '#infra/agent/store.ts'
import { openTunnelSocket } from '#infra/agent/tunnel/tunnel-socket.ts'
import { type Call, callEndpoint } from '#infra/local/api.ts'
import { memoryDriver } from '#infra/simulator/memory-driver.ts'
import { virtualMachine } from '#infra/simulator/virtual-machine.ts'
import { claimDevice } from '../device.ts'
import { openSession } from '../sessions.ts'
import type { Server } from '../stack.ts'
import { ldapApi } from '#contract/ldap/index.ts'

const ACCOUNT = { username: 'directory01', password: 'Directory2026', nickname: '目录租户', sign: 'qiming' }
/** Where bare rows are inserted. */
export const OTHER = { ...ACCOUNT, username: 'directory02', sign: 'others' }
const SERIAL = 'NLBENCHLDAP1'
const YEAR_MS = 365 * 86_400_000
const POLL_MS = 200
const ONLINE_MS = 30_000

interface Directory {
  readonly ldapsPort: number
  /** PEM. */
  readonly ca: string
  readonly users: number
}

/** A company with a router before its directory, whose agent reaches the service at `agentOrigin`. */
export async function createCompany(server: Server, agentOrigin: string, { ldapsPort, ca, users }: Directory) {
  const { origin, operatorToken } = server
  const ops = <E extends Endpoint>(spec: E, input: Input<E>) =>
    callEndpoint(origin, '/ops/v1', spec, input, operatorToken)
  const account = ACCOUNT.username
  await ops(opsApi.createAccount, ACCOUNT)
  await ops(opsApi.createAccount, OTHER)
  const term = { account, start_time: Date.now(), expired_time: Date.now() + YEAR_MS }
  await ops(opsApi.setService, { ...term, kind: 'network_member', name: '成员', quantity: 10 })
  await ops(opsApi.setService, { ...term, kind: 'software_member', name: '软件成员', quantity: users })
  const token = await openSession(server, account)
  const call: Call = (spec, input) => callEndpoint(origin, '/api/v1', spec, input, token)
  const agent = await startAgent(agentOrigin, await claimDevice(server, SERIAL, token), `127.0.0.1:${ldapsPort}`)
  const { ca_id } = await call(ldapApi.uploadCa, { file: new File([ca], 'ca.crt') })
  const form = {
    mode: 'private',
    router_name: SERIAL,
    domain: 'qiming.test',
    host: '127.0.0.1',
    port: ldapsPort,
    base_dn: SUFFIX,
    use_ssl: 1,
    ca_id,
    certificate_name: SERVER_NAME,
    username: READER.bindDn,
    password: READER.password,
    sync_mode: LDAP_SYNC.automatic,
  } as const
  return {
    /** Lists and compares while somebody waits; answers how many users there are. */
    check: async () => (await call(ldapApi.check, form)).count,
    /** Saves what was checked; resolves once the first run has ended, and answers how many members it added. */
    async importAll() {
      await call(ldapApi.save, form)
      for (;;) {
        const { run, service } = await call(ldapApi.syncStatus, {})
        if (run && run.state !== 'running') {
          if (run.state !== 'done') throw new Error(`the run is ${run.state}: ${service.message}`)
          return run.counts.added
        }
        await pause()
      }
    },
    /** Takes back what the newest run with a change did; the next run does it again. */
    async undo() {
      const [newest] = await call(ldapApi.runs, {})
      await call(ldapApi.undo, { id: newest?.id ?? '' })
      await call(ldapApi.syncMode, { sync_mode: LDAP_SYNC.automatic })
    },
    /** How many members came out of the directory, and why the newest run failed. */
    async outcome() {
      const { count, service } = await call(ldapApi.syncStatus, {})
      return { members: count, fault: service.message }
    },
    close: () => agent.stop(),
  }
}
export type Company = Awaited<ReturnType<typeof createCompany>>

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, POLL_MS))

async function startAgent(server: string, code: string, target: string): Promise<Agent> {
  const hardware = { serial: SERIAL, model: 'NL-R220', lan: ['192.168.7.1/24'], peakMbps: 50 }
  const agent = await Agent.start(
    { server, serial: SERIAL, activationCode: heldCode(code), version: 'bench' },
    {
      clock: systemClock,
      random: Math.random,
      machine: virtualMachine(hardware, systemClock),
      driver: memoryDriver(),
      store: memoryStore(),
      openSocket: openWebSocket,
      fetch,
      prober: null,
      directories: {
        targets: new Set([target]),
        lookup: (host) => lookup(host, { all: true }),
        openSocket: openTunnelSocket,
      },
      log: silentLog,
    },
  )
  for (const until = Date.now() + ONLINE_MS; !agent.isUp; await pause()) {
    if (Date.now() > until) throw new Error('the router did not come online')
  }
  return agent
}
