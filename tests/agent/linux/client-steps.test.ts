import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { RouterDocument } from '#contract/device/document.ts'
import { denyDials } from '#infra/agent/drivers/linux/openvpn/admission.ts'
import { DialSessions } from '#infra/agent/drivers/linux/openvpn/dial-sessions.ts'
import { OpenvpnTool } from '#infra/agent/drivers/linux/openvpn/openvpn-tool.ts'
import { planOpenvpn, settledOpenvpn } from '#infra/agent/drivers/linux/openvpn/plan.ts'
import { wantedOpenvpn } from '#infra/agent/drivers/linux/openvpn/wanted.ts'
import type { ProcessTable } from '#infra/agent/drivers/linux/processes/process-table.ts'
import { silentLog } from '#infra/agent/log.ts'
import { memoryStore } from '#infra/agent/store.ts'
import { center, centerNetwork } from '../support/tunnel-parts.ts'
import { renderingOf, withKeys } from './support/renderings.ts'

const base = withKeys(center(centerNetwork()))
const { network_number: number, servers } = base.networks[0]!
const [account] = servers[1]!.accounts
const SESSION = { id: 's', network: number, name: account!.name, profile: null, version: 0 }

const withAccounts = (accounts: (typeof servers)[number]['accounts']): RouterDocument => ({
  ...base,
  networks: base.networks.map((each) => ({
    ...each,
    servers: each.servers.map((server) => (server.service === 'software' ? { ...server, accounts } : server)),
  })),
})

/** Runs the steps of client files between two documents, with a member who is let in before they run. */
async function runClientSteps(before: RouterDocument, after: RouterDocument): Promise<DialSessions> {
  const folder = mkdtempSync(join(tmpdir(), 'client-steps-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const sessions = await DialSessions.open(memoryStore(), silentLog)
  const tool = new OpenvpnTool({
    state: join(folder, 'state'),
    folders: { keys: join(folder, 'keys'), shared: join(folder, 'shared') },
    processes: { onExit: () => {}, running: () => new Map() } as unknown as ProcessTable,
    log: silentLog,
    authorizeDial: denyDials,
    sessions,
    changed: () => {},
    sessionsChanged: () => {},
    restarted: () => {},
  })
  const old = renderingOf(before)
  const wanted = wantedOpenvpn(renderingOf(after, old.slots))
  sessions.add(SESSION)
  for (const step of planOpenvpn(settledOpenvpn(wantedOpenvpn(old)), wanted))
    if ('names' in step) await tool.run(step, wanted)
  return sessions
}

it('a member who dials while its entry is written stays', async () => {
  const sessions = await runClientSteps(withAccounts([]), withAccounts([account!]))
  expect(sessions.find(SESSION.id)).toEqual(SESSION)
  expect(sessions.endings(number, account!.name)).toBe(0)
})

it.each([
  ['leaves', []],
  ['has another address', [{ ...account!, ip: '100.64.31.77' }]],
])('the sessions of a member who %s end', async (_, accounts) => {
  const sessions = await runClientSteps(withAccounts([account!]), withAccounts(accounts))
  expect(sessions.find(SESSION.id)).toBeNull()
  expect(sessions.endings(number, account!.name)).toBe(1)
})
