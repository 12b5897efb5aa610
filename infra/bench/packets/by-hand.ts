import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type RouterDocument, routerDocument } from '#contract/device/document.ts'
import { renderDocument } from '#infra/agent/drivers/render/render.ts'
import { readSlots } from '#infra/agent/drivers/render/slots.ts'
import type { LabAgent } from '#infra/lab/agents.ts'
import type { Bed } from '#infra/lab/bed/bed.ts'
import { PROBE_PORT } from '#infra/lab/bed/sites.ts'
import { type Output, watchOutput } from '#infra/lab/software/output.ts'
import { poll } from '#infra/lab/poll.ts'

/*
 * Peers of the bench: a router without its agent. Its programs are started by their own command lines from the files that the
 * driver has rendered, as a person would start them.
 */

export interface HandMadeRouter {
  readonly host: string
  /** Folder with sockets, files of clients and revocation lists. */
  readonly run: string
  readonly document: RouterDocument
  /** Rendered files by path. */
  readonly files: ReadonlyMap<string, string>
  /** Command lines of its programs by the name of the process. */
  readonly commands: ReadonlyMap<string, readonly string[]>
}

/** OpenVPN says so once a client's tunnel stands, and once a server listens. */
export const TUNNEL_READY = 'Initialization Sequence Completed'
const READY_MS = 30_000
const NEEDED_SYSCTLS = ['net.ipv4.ip_forward=1', 'net.ipv4.fib_multipath_hash_policy=1']

/** Reads what an agent has rendered and started last. @param host at which it runs @param lan its ports */
export function readHandMade({ folder }: LabAgent, host: string, lan: readonly string[] = ['lan']): HandMadeRouter {
  const [state, run] = [join(folder, 'state'), join(folder, 'run')]
  const readText = (name: string) => readFileSync(join(state, name), 'utf8')
  const { confirmed } = JSON.parse(readText('config.json')) as { confirmed: { body: unknown } }
  const document = routerDocument.parse(confirmed.body)
  const target = { wan: ['wan'], lan, probePort: PROBE_PORT, keys: join(state, 'keys'), shared: run }
  const { processes } = JSON.parse(readText('processes.json')) as {
    processes: readonly { readonly name: string; readonly argv: readonly string[] }[]
  }
  return {
    host,
    run,
    document,
    files: renderDocument(document, readSlots(readText('slots.json')), target),
    commands: new Map(processes.map(({ name, argv }) => [name, argv])),
  }
}

export async function runAt(bed: Bed, host: string, argv: readonly string[], input = ''): Promise<string> {
  const { code, output } = await bed.run(host, argv, { input })
  if (code !== 0) throw new Error(`${host}: ${argv.join(' ')}: ${output.trim() || `exit ${code}`}`)
  return output
}

/** Sets the kernel, loads the packet filter and adds the policy rules. */
export async function prepareKernel(bed: Bed, { host, files }: HandMadeRouter): Promise<void> {
  await runAt(bed, host, ['sysctl', '-qw', ...NEEDED_SYSCTLS])
  await runAt(bed, host, ['nft', '-f', '-'], files.get('nft/netloom.nft'))
  await runAt(bed, host, ['ip', '-batch', '-'], files.get('ip/netloom.ip'))
}

/** Starts tunnels, by default all, and returns their outputs. */
export const startTunnels = (
  bed: Bed,
  { host, commands }: HandMadeRouter,
  isMeant: (device: string) => boolean = () => true,
): readonly Output[] =>
  [...commands]
    .filter(([name]) => name.startsWith('ov') && isMeant(name))
    .map(([name, argv]) => watchOutput(`${name} of ${host}`, bed.start(host, argv, { output: 'pipe' })))

/** Time at which the last one of some tunnels was ready. */
export async function untilReady(tunnels: readonly Output[]): Promise<number> {
  const lines = await Promise.all(tunnels.map((tunnel) => tunnel.until(TUNNEL_READY, READY_MS)))
  return Math.max(...lines.map(({ at }) => at))
}

/** Starts the daemons of FRR, of which bgpd reads the rendered configuration. */
export async function startRouting(bed: Bed, { host, run, files, commands }: HandMadeRouter): Promise<void> {
  const config = join(run, 'frr', 'bgpd.conf')
  writeFileSync(config, files.get('frr/bgpd.conf') ?? '')
  chmodSync(config, 0o644)
  const start = (daemon: string, file: string | null = null) => {
    const argv = commands.get(daemon) ?? []
    const own = argv.map((word, n) => (file !== null && argv[n - 1] === '-f' ? file : word))
    return watchOutput(`${daemon} of ${host}`, bed.start(host, own, { output: 'pipe' }))
  }
  const zebra = start('zebra')
  await poll(
    `zebra of ${host} answers`,
    READY_MS,
    () => isListening(bed, host, join(run, 'frr', 'zserv.api')),
    (isReady) => {
      if (zebra.hasEnded())
        throw new Error(
          zebra
            .lines()
            .map(({ text }) => text)
            .join('\n'),
        )
      return isReady
    },
  )
  start('bgpd', config)
  start('bfdd')
}

/** True while a program listens at a unix socket. */
async function isListening(bed: Bed, host: string, path: string): Promise<boolean> {
  return (await bed.run(host, ['cat', '/proc/net/unix'])).output.includes(path)
}
