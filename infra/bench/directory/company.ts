import { lookup } from 'node:dns/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { READER, SUFFIX } from '#tests/support/directory/people.ts'
import { SERVER_NAME } from '#tests/support/directory/pki.ts'
import { LDAP_SYNC } from '#contract/ldap/limits.ts'
import { ldapApi } from '#contract/ldap/index.ts'
import { startFleet } from '#infra/simulator/fleet.ts'
import { createAccount, openConsole } from '../account.ts'
import { claimDevice } from '../live-clients.ts'
import { type Server, until } from '../stack.ts'

/* Account of the bench of directories: a company whose router carries the tunnel to its LDAP directory. */

const ACCOUNT = { username: 'directory01', password: 'Directory2026', sign: 'qiming' }
const SERIAL = 'NLBENCHLDAP1'
const POLL_MS = 200
const ONLINE_MS = 30_000

interface Directory {
  readonly ldapsPort: number
  /** Certificate of the authority, PEM. */
  readonly ca: string
  readonly users: number
}

export type Company = Awaited<ReturnType<typeof createCompany>>

/** Creates the account, its router and the connection; the router's agent reaches the service at `agentOrigin`. */
export async function createCompany(server: Server, agentOrigin: string, { ldapsPort, ca, users }: Directory) {
  await createAccount(server, ACCOUNT, { network_member: 10, software_member: users })
  const call = openConsole(server, ACCOUNT.username)
  const router = await startFleet({
    server: agentOrigin,
    devices: [{ serial: SERIAL, code: await claimDevice(server, SERIAL, call) }],
    probes: false,
    directories: { targets: new Set([`127.0.0.1:${ldapsPort}`]), lookup: (host) => lookup(host, { all: true }) },
  })
  await until(() => router.agents.every(({ agent }) => agent.isUp), ONLINE_MS)
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
    /** Checks the connection as a person waits for it; returns the number of users. */
    check: async () => (await call(ldapApi.check, form)).count,
    /** Saves the checked form; resolves when the first run has ended, and returns the number of added members. */
    async importAll() {
      await call(ldapApi.save, form)
      for (;;) {
        const { run, service } = await call(ldapApi.syncStatus, {})
        if (run?.state === 'done') return run.counts.added
        if (run && run.state !== 'running') throw new Error(`the run is ${run.state}: ${service.message}`)
        await sleep(POLL_MS)
      }
    },
    /** Number of imported members, and the fault of the newest run. */
    async outcome() {
      const { count, service } = await call(ldapApi.syncStatus, {})
      return { members: count, fault: service.message }
    },
    close: () => router.stop(),
  }
}
