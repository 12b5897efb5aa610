import { lookup } from 'node:dns/promises'
import { join } from 'node:path'
import pkg from '#package.json' with { type: 'json' }
import { type ActivationCode, codeFile, heldCode, readCode } from './hub/activation-code.ts'
import { Agent } from './agent.ts'
import { runClient } from './client/client.ts'
import { systemClock } from './clock.ts'
import { runCheck } from './drivers/linux/check/check-command.ts'
import { filesDriver } from './drivers/files-driver.ts'
import { toTarget } from './drivers/render/target.ts'
import { openWebSocket } from './agent-socket.ts'
import { type Log, messageOfError, silentLog, stdoutLog } from './log.ts'
import { linuxMachine } from './machine/linux.ts'
import { CLIENT_USAGE, type CommandLine, EXIT, USAGE, parseClientLine, parseCommandLine } from './options.ts'
import { virtualDials } from '#infra/simulator/virtual-dials.ts'
import { folderStore, lockFolder } from './store.ts'
import { routerKey } from './keys/router-key.ts'
import { openConntrack } from './flows/conntrack-flows.ts'
import { DnsNames, followDnsLog } from './flows/dns-names.ts'
import { serviceOf } from './flows/services.ts'
import { openProber } from './probe/prober.ts'

/* Entry of the agent: parses the command line, runs the agent or the software client, and stops on signals. */

async function openCode(file: string | null, log: Log): Promise<ActivationCode> {
  if (file === null) return heldCode(null)
  return file === '-' ? readCode(process.stdin) : codeFile(file, log)
}

async function run(line: CommandLine): Promise<void> {
  const log = line.quiet ? silentLog : stdoutLog(systemClock, line.name)
  const store = await folderStore(line.state)
  await lockFolder(line.state)
  const prober = await openProber(line.probePort, store, systemClock, log)
  log(`starting, version ${pkg.version}, probes on UDP ${prober.port}`)
  const machine = await linuxMachine(line.lans)
  const readTarget = async () => toTarget(await machine.interfaces(), prober.port)
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
      driver: await filesDriver(join(line.state, 'network'), readTarget),
      store,
      openSocket: openWebSocket,
      fetch,
      prober,
      routerKey: routerKey(join(line.state, 'keys', 'router.key')),
      ...(flows && { flows }),
      directories: { targets: line.directories, lookup: (host) => lookup(host, { all: true }) },
      ...(line.hasVirtualClients && { dials: virtualDials(line.serial, systemClock, Math.random) }),
      log,
    },
  )
  const shutdown = (signal: string) => {
    log(`${signal}: stopping`)
    closeNames()
    void agent.stop().then(() => setTimeout(() => process.exit(0), 200)) // lets the close frame be sent
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

function start(argv: readonly string[]): Promise<void> {
  const [command, ...options] = argv
  if (Number.parseInt(process.versions.node, 10) < NODE_MAJOR)
    throw new Error(`Node ${NODE_MAJOR} or newer is needed; this is ${process.version}`)
  if (command === 'check') return runCheck(console.log).then((canStart) => process.exit(canStart ? 0 : EXIT.failed))
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
