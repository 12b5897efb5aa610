import { afterEach } from 'vitest'
import { callEndpoint } from '#infra/local/api.ts'
import { opsApi } from '#contract/ops/index.ts'
import { type AgentFolder, type AgentProcess, useAgents } from './agent-process.ts'
import { useOps } from './ops.ts'
import { type TcpProxy, startTcpProxy } from './tcp-proxy.ts'
import { routerApi } from '#contract/router/index.ts'

/** A real agent behind a proxy of its own. */
export interface Device {
  readonly serial: string
  readonly folder: AgentFolder
  readonly proxy: TcpProxy
  readonly agent: AgentProcess
}

/** Accounts with real devices; agents and proxies end with each test. */
export function useDevices(origin: string) {
  const ops = useOps(origin)
  const agents = useAgents()
  const proxies: TcpProxy[] = []
  afterEach(async () => {
    await agents.stop()
    await Promise.all(proxies.splice(0).map((proxy) => proxy.close()))
  })

  /** A new account with an access token of its own. */
  const newAccount = async (flags: Parameters<typeof ops.newAccount>[0] = {}) => {
    const account = await ops.newAccount(flags)
    const token = await ops.signIn(account.username)
    /** A device that was claimed and never came. */
    const claim = async (prefix: string, n: number, note: string) => {
      const serial = `${prefix}${n}${account.sign.slice(1, 6).toUpperCase()}`
      const { activation_code: code } = await ops.call(opsApi.provisionDevice, { serial, model: 'NL-R220' })
      await callEndpoint(origin, '/api/v1', routerApi.add, { router_type: 1, username: serial, code, note }, token)
      return { serial, code }
    }
    const start = async (prefix: string, n: number, note: string, options: readonly string[] = []): Promise<Device> => {
      const { serial, code } = await claim(prefix, n, note)
      const proxy = await startTcpProxy(origin)
      proxies.push(proxy)
      const folder = await agents.createFolder(serial)
      return { serial, folder, proxy, agent: folder.run(proxy.url, code, options) }
    }
    return { ...account, token, claim, start }
  }
  return { ops, newAccount }
}
