import { lookup } from 'node:dns/promises'
import { join, resolve } from 'node:path'
import type { LinkCounters, TrunkCounters } from '#contract/device/counters.ts'
import pkg from '#package.json' with { type: 'json' }
import { type ActivationCode, codeFile, heldCode, readCode } from './hub/activation-code.ts'
import { Agent, type LinkProbe } from './agent.ts'
import { runClient } from './client/client.ts'
import { systemClock } from './clock.ts'
import type { DialSource } from './reports/dial-reporter.ts'
import type { Driver } from './drivers/driver.ts'
import { runCheck } from './drivers/linux/check/check-command.ts'
import { checkMachine } from './drivers/linux/check/check-machine.ts'
import { runDown } from './drivers/linux/down.ts'
import { folderProblems } from './drivers/linux/folder-check.ts'
import { openLinuxDevice } from './drivers/linux/linux-device.ts'
import { stateProblem } from './drivers/linux/pop/node-state.ts'
import { openPopDevice } from './drivers/linux/pop/pop-device.ts'
import { type AuthorizeDial, denyDials } from './drivers/linux/openvpn/admission.ts'
import { deviceAnswers } from './drivers/linux/questions/device-answers.ts'
import { tunnelLinks } from './drivers/linux/tunnel-links.ts'
import { NODE_OPTIONS, unitText } from './drivers/linux/unit.ts'
import { filesDriver } from './drivers/files-driver.ts'
import { toTarget } from './drivers/render/target.ts'
import { openWebSocket } from './agent-socket.ts'
import type { AnswerQuestion } from './questions.ts'
import { type Log, messageOfError, silentLog, stdoutLog } from './log.ts'
import { linuxMachine } from './machine/linux.ts'
import type { Machine } from './machine/machine.ts'
import {
  CLIENT_USAGE,
  type CommandLine,
  EXIT,
  type LinuxLine,
  USAGE,
  parseClientLine,
  parseCheckLine,
  parseCommandLine,
  parseDownLine,
} from './options.ts'
import { virtualDials } from '#infra/simulator/virtual-dials.ts'
import { type Store, folderStore, lockFolder } from './store.ts'
import { routerKey } from './keys/router-key.ts'
import { openConntrack } from './flows/conntrack-flows.ts'
import { DnsNames, followDnsLog } from './flows/dns-names.ts'
import { serviceOf } from './flows/services.ts'
import { type Prober, openProber } from './probe/prober.ts'

/* Entry of the agent: parses the command line, runs the agent or the software client, and stops on signals. */

async function openCode(file: string | null, log: Log): Promise<ActivationCode> {
  if (file === null) return heldCode(null)
  return file === '-' ? readCode(process.stdin) : codeFile(file, log)
}

/** Driver of the device, and its link reports. */
interface DriverParts {
  readonly driver: Driver
  readonly links: LinkProbe
  /** Dials into its services; absent if it runs none. */
  readonly dials?: DialSource
  /** Counters of its links; absent if it runs no tunnels. */
  readonly linkCounters?: () => Promise<LinkCounters>
  readonly trunkCounters?: () => Promise<TrunkCounters>
  /** Answers about its routes; absent if it runs no tunnels. */
  readonly answers?: AnswerQuestion
  close(): void
}

async function openDriver(
  line: CommandLine,
  store: Store,
  prober: Prober,
  machine: Machine,
  log: Log,
  authorizeDial: AuthorizeDial,
): Promise<DriverParts> {
  const { state, linux } = line
  if (linux === null) {
    const readTarget = async () => toTarget(await machine.interfaces(), prober.port)
    return { driver: await filesDriver(join(state, 'network'), readTarget), links: prober, close: () => {} }
  }
  const problem = await stateProblem(store, linux.isNode)
  if (problem !== null) throw new Error(problem)
  const device = await (linux.isNode ? openPopDevice : openLinuxDevice)({
    ...linux,
    state,
    probePort: prober.port,
    store,
    clock: systemClock,
    log,
    authorizeDial,
    prober,
  })
  const links = tunnelLinks(device, prober, systemClock)
  return {
    driver: device.driver,
    links,
    dials: device.dials,
    linkCounters: device.readLinkCounters,
    trunkCounters: device.readTrunkCounters,
    answers: deviceAnswers(device, (id) => links.reports(line.serial).find((report) => report.id === id)),
    close: () => device.close(),
  }
}

/** Ends the process before anything is touched, with a line for each thing that the driver `linux` lacks. */
async function requireLinux(state: string, { run, isNode }: LinuxLine): Promise<void> {
  const problems = await checkMachine(isNode)
  const fatal = problems.filter(({ isFatal }) => isFatal).map(({ text }) => text)
  const causes = [...fatal, ...(await folderProblems({ state, run, isNode }))]
  if (causes.length === 0) return
  for (const cause of causes) console.error(cause)
  process.exit(EXIT.usage)
}

async function run(line: CommandLine): Promise<void> {
  const log = line.quiet ? silentLog : stdoutLog(systemClock, line.name)
  if (line.linux) await requireLinux(line.state, line.linux)
  const store = await folderStore(line.state)
  await lockFolder(line.state)
  const prober = await openProber(line.probePort, store, systemClock, log)
  log(`starting, version ${pkg.version}, probes on UDP ${prober.port}`)
  const machine = await linuxMachine(line.lans, line.linux)
  let authorizeDial = denyDials // until the agent runs
  const { driver, links, dials, linkCounters, trunkCounters, answers, close } = await openDriver(
    line,
    store,
    prober,
    machine,
    log,
    (dialling) => authorizeDial(dialling),
  )
  const names = new DnsNames()
  const closeNames = line.dnsLog === null ? () => {} : followDnsLog(line.dnsLog, names)
  const serviceAt = (address: string) => serviceOf(names.of(address) ?? '')
  const flows = await openConntrack({ clock: systemClock, store, machine, log, serviceAt })
  const agent = await Agent.start(
    { ...line, activationCode: await openCode(line.codeFile, log), version: pkg.version },
    {
      clock: systemClock,
      random: Math.random,
      machine,
      driver,
      store,
      openSocket: openWebSocket,
      fetch,
      prober: links,
      routerKey: routerKey(join(line.state, 'keys', 'router.key')),
      ...(flows && { flows }),
      directories: { targets: line.directories, lookup: (host) => lookup(host, { all: true }) },
      ...(dials && { dials }),
      ...(linkCounters && { linkCounters }),
      ...(trunkCounters && { trunkCounters }),
      ...(answers && { answers }),
      ...(line.hasVirtualClients && { dials: virtualDials(line.serial, systemClock, Math.random) }),
      log,
    },
  )
  authorizeDial = (dialling) => agent.authorizeDial(dialling)
  const shutdown = (signal: string) => {
    log(`${signal}: stopping`)
    closeNames()
    void agent.stop().then(() => {
      close() // tunnels and routes stay
      setTimeout(() => process.exit(0), 200) // lets the close frame be sent
    })
  }
  process.once('SIGTERM', shutdown)
  process.once('SIGINT', shutdown)
}

/** Answer to a command line that needs no connection; null if it needs one. */
function answer(argv: readonly string[]): string | null {
  if (argv.includes('--help')) return argv[0] === 'client' ? CLIENT_USAGE : USAGE
  return argv.includes('--version') ? pkg.version : null
}

/** First version of Node with a built-in WebSocket; older versions can print the usage. */
const NODE_MAJOR = 22

function printUnit(options: readonly string[]): void {
  if (parseCommandLine(options).linux === null) throw new Error('a unit is for the driver linux: --driver linux')
  console.log(unitText([process.execPath, ...NODE_OPTIONS, resolve(process.argv[1] ?? ''), ...options]))
}

function start(argv: readonly string[]): Promise<void> {
  const [command, ...options] = argv
  if (Number.parseInt(process.versions.node, 10) < NODE_MAJOR)
    throw new Error(`Node ${NODE_MAJOR} or newer is needed; this is ${process.version}`)
  if (command === 'check')
    return runCheck(parseCheckLine(options).isNode, console.log).then((canStart) =>
      process.exit(canStart ? 0 : EXIT.failed),
    )
  if (command === 'down') return runDown(parseDownLine(options))
  if (command === 'unit') return Promise.resolve(printUnit(options))
  return command === 'client' ? runClient(parseClientLine(options), console.log) : run(parseCommandLine(argv))
}

try {
  const text = answer(process.argv.slice(2))
  if (text !== null) console.log(text)
  else
    await start(process.argv.slice(2)).catch((error: unknown) => {
      console.error(messageOfError(error))
      process.exit(EXIT.failed)
    })
} catch (error) {
  console.error(`${messageOfError(error)}\n\n${process.argv[2] === 'client' ? CLIENT_USAGE : USAGE}`)
  process.exitCode = EXIT.usage
}
