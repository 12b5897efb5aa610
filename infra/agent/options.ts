import { resolve, basename } from 'node:path'
import { parseArgs } from 'node:util'
import { ENDPOINTS } from '#contract/device/limits.ts'
import { isEndpointHost } from '#contract/router/endpoints.ts'
import { declaredLan } from './machine/declared-lan.ts'
import { serverProblem } from './server-address.ts'
import { toTarget } from './tunnel/directory-policy.ts'

/* Command lines of the agent and of the software client (`client`): usage, options and exit codes. */

/** Command that started this program: from the repository, or as the file that was downloaded. */
const PROGRAM =
  process.env['npm_lifecycle_event'] === 'agent' ? 'npm run agent --' : `node ${basename(process.argv[1] ?? 'agent')}`

/** Exit codes of the process, besides 0 for a signal. */
export const EXIT = { failed: 1, usage: 2 } as const

export const USAGE = `${PROGRAM} --server <url> --serial <serial> --state <folder> [options]
${PROGRAM} check [--pop]
${PROGRAM} down --state <folder> [--run <folder>]
${PROGRAM} unit <options as above>
${PROGRAM} client --help

  down                  take tunnels, routes, rules and filters of the driver linux off; they return with the next start
  unit                  print a unit of systemd that starts the agent with these options
  check                 print what this machine lacks for the driver linux, or what stands in its way, and nothing else

  --server <url>        origin of the service, such as https://console.example.com; may be repeated: they are tried in turn,
                        the one that worked last first
  --serial <serial>     serial number of this device
  --state <folder>      where key, configuration and results are kept
  --code-file <file>    file with the activation code printed on the device, or - for the standard input; needed for its
                        first connection, then deleted
  --driver <files|linux>  files (default): render the configuration into a folder, and start nothing; linux: run tunnels
                        and routes on this machine, as root
  --wan <interface>     with the driver linux: its WAN; may be repeated
  --lan-port <interface>  with the driver linux: a LAN of it; may be repeated
  --pop                 with the driver linux: a POP node, which runs each network in a network namespace of its own; it has
                        no LAN
  --run <folder>        with the driver linux: sockets and files that its processes open; others may enter it
                        (default: /run/netloom-<serial>)
  --name <name>         what log lines call this device (default: the serial)
  --lan <name>=<cidr>   a LAN segment this machine has no interface for (demo); may be repeated
  --insecure            allow http to another machine
  --endpoint <host>     address or name at which other members dial this device; may be repeated, in their order. Without it
                        they dial its public addresses
  --probe-port <port>   UDP port of link probes (default: any, then the same again)
  --virtual-clients     report dials of software members that nobody makes (demo)
  --dns-log <file>      log of this device's dnsmasq (log-queries): names the applications of its flows
  --directory <host:port>  a directory that the service may reach through this device although it is not on a private
                        address, or not on 389, 636, 3268 or 3269; may be repeated
  --quiet               no log
  --version             print the version
`

export type CommandLine = ReturnType<typeof parseCommandLine>

/** Throws with a sentence for the user. */
export function parseCommandLine(argv: readonly string[]) {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      server: { type: 'string', multiple: true, default: [] },
      serial: { type: 'string', default: '' },
      state: { type: 'string', default: '' },
      'code-file': { type: 'string' },
      insecure: { type: 'boolean', default: false },
      name: { type: 'string' },
      lan: { type: 'string', multiple: true, default: [] },
      endpoint: { type: 'string', multiple: true, default: [] },
      'probe-port': { type: 'string', default: '0' },
      'virtual-clients': { type: 'boolean', default: false },
      'dns-log': { type: 'string' },
      directory: { type: 'string', multiple: true, default: [] },
      driver: { type: 'string', default: 'files' },
      wan: { type: 'string', multiple: true, default: [] },
      'lan-port': { type: 'string', multiple: true, default: [] },
      run: { type: 'string' },
      pop: { type: 'boolean', default: false },
      quiet: { type: 'boolean', default: false },
    },
  })
  const { server: servers, serial, state, name = serial, lan, quiet } = values
  if (servers.length === 0 || !serial || !state) throw new Error('--server, --serial and --state are required')
  const problem = servers.map((server) => serverProblem(server, values.insecure)).find((text) => text !== null)
  if (problem) throw new Error(problem)
  const probePort = Number(values['probe-port'])
  if (!Number.isInteger(probePort) || probePort < 0 || probePort > 65_535) throw new Error('--probe-port: 0 to 65535')
  return {
    servers,
    serial,
    state: resolve(state),
    codeFile: values['code-file'] ?? null, // a path, or `-` for the standard input
    name,
    lans: lan.map(declaredLan),
    endpoints: readEndpoints(values.endpoint),
    probePort, // 0: the port of the last run, or any
    quiet,
    hasVirtualClients: values['virtual-clients'],
    dnsLog: values['dns-log'] ?? null,
    directories: new Set(values.directory.map(readTarget)),
    linux: readLinux(values, serial),
  }
}

function readEndpoints(texts: readonly string[]): readonly string[] {
  const hosts = texts.map((text) => text.toLowerCase())
  const wrong = hosts.find((host) => !isEndpointHost(host))
  if (wrong !== undefined) throw new Error(`--endpoint ${wrong}: expected an address or a name, without a port`)
  if (hosts.length > ENDPOINTS.chosenMax) throw new Error(`--endpoint: at most ${ENDPOINTS.chosenMax}`)
  return hosts
}

/** Options of the driver `linux`; null for the driver `files`. */
export interface LinuxLine {
  readonly wan: readonly string[]
  readonly lan: readonly string[]
  readonly run: string
  /** True for a POP node. */
  readonly isNode: boolean
}

const INTERFACE = /^\w[\w.@-]{0,14}$/

function readLinux(
  values: { driver: string; wan: string[]; 'lan-port': string[]; run?: string | undefined; pop: boolean },
  serial: string,
): LinuxLine | null {
  const { driver, wan, 'lan-port': lan, run, pop: isNode } = values
  const isNamed = wan.length > 0 || lan.length > 0 || run !== undefined || isNode
  if (driver === 'files' && isNamed) throw new Error('--wan, --lan-port, --run and --pop need --driver linux')
  if (driver === 'files') return null
  if (driver !== 'linux') throw new Error('--driver: files or linux')
  if (wan.length === 0) throw new Error('--driver linux needs --wan <interface>')
  if (isNode && lan.length > 0) throw new Error('--pop: a node has no LAN, so --lan-port is not possible')
  const ports = [...wan, ...lan]
  const wrong = ports.find((name) => !INTERFACE.test(name) || /^ov\d/.test(name))
  if (wrong !== undefined) throw new Error(`${wrong} is no name of a WAN or LAN interface`)
  if (new Set(ports).size < ports.length) throw new Error('--wan and --lan-port: each interface once')
  return { wan, lan, run: resolve(run ?? defaultRun(serial)), isNode }
}

export const defaultRun = (serial: string): string => `/run/netloom-${serial}`

/** Options of `check`; throws with a sentence for the user. */
export function parseCheckLine(argv: readonly string[]) {
  const { values } = parseArgs({ args: [...argv], options: { pop: { type: 'boolean', default: false } } })
  return { isNode: values.pop }
}

/** Options of `down`; throws with a sentence for the user. */
export function parseDownLine(argv: readonly string[]) {
  const { values } = parseArgs({
    args: [...argv],
    options: { state: { type: 'string', default: '' }, run: { type: 'string' } },
  })
  if (!values.state) throw new Error('--state is required')
  return { state: resolve(values.state), run: values.run === undefined ? null : resolve(values.run) }
}

/** `host:port` or `[address]:port`; throws for anything else. */
function readTarget(text: string): string {
  const [, bracketed, bare, port] = /^(?:\[([0-9a-f:.]+)\]|([^\s:[\]]+)):(\d{1,5})$/i.exec(text) ?? []
  const host = bracketed ?? bare
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535) throw new Error('--directory: <host:port>')
  return toTarget(host, Number(port))
}

export const CLIENT_USAGE = `${PROGRAM} client --server <url> --name <name@suffix> --state <folder> [options]
${PROGRAM} client --server <url> --auth-source <ID> --state <folder> [options]

  --server <url>          origin of the service, such as https://console.example.com
  --name <name@suffix>    account of the software member
  --auth-source <ID>      sign in with WeCom, Feishu or DingTalk in a browser; the administrator's console shows the ID
  --auth-type <which>     wechat, feishu, dingtalk or the number of a source, where the account has several
  --state <folder>        where the session and the files of OpenVPN are kept
  --password-file <file>  file with the password, or - for the standard input (default); needed once, then the session is renewed
  --dial <network>        dial this network and stay until the program is stopped; needs root, OpenVPN and /dev/net/tun
  --logout                end the session
  --insecure              allow http to another machine
`

export type ClientLine = ReturnType<typeof parseClientLine>

/** Throws with a sentence for the user. Of `name` and `authSource` one is not empty. */
export function parseClientLine(argv: readonly string[]) {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      server: { type: 'string', default: '' },
      name: { type: 'string', default: '' },
      'auth-source': { type: 'string', default: '' },
      'auth-type': { type: 'string', default: '' },
      state: { type: 'string', default: '' },
      'password-file': { type: 'string', default: '-' },
      dial: { type: 'string' },
      logout: { type: 'boolean', default: false },
      insecure: { type: 'boolean', default: false },
    },
  })
  const { server, name, state, logout, dial = null, 'auth-source': authSource, 'auth-type': authType } = values
  if (!server || !state) throw new Error('--server and --state are required')
  if (!name && !authSource) throw new Error('--name or --auth-source is required')
  const problem = serverProblem(server, values.insecure)
  if (problem) throw new Error(problem)
  const passwordFile = values['password-file']
  return { server, name, authSource, authType, state: resolve(state), passwordFile, dial, isLeaving: logout }
}
