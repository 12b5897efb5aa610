import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs'
import type { ProvisionedDevice } from '#infra/demo/load.ts'
import { inData, inRoot } from './paths.ts'

/** Processes of the demo routers: one for each real agent, one for all virtual routers; restarted when they exit. */
export type Fleet = ReturnType<typeof startFleet>

const RESTART_MS = 5_000
const STOP_MS = 5_000

/** @param directories `host:port` that the tunnels of the real agents may reach. */
export function startFleet(server: string, devices: readonly ProvisionedDevice[], directories: readonly string[] = []) {
  const fleetFile = inData('fleet.json')
  const virtual = devices.filter(({ runs }) => runs === 'virtual')
  const fleet = virtual.map(({ serial, code, model, lan }) => ({ serial, code, model, lan: lan === null ? [] : [lan] }))
  writeFileSync(fleetFile, JSON.stringify({ server, devices: fleet }), { mode: 0o600 })
  mkdirSync(inData('logs'), { recursive: true })
  const members = [
    ...devices
      .filter(({ runs }) => runs === 'real')
      .map((device) => keepRunning(device.serial, agentCommand(server, device, directories), device.code)),
    ...(virtual.length > 0 ? [keepRunning('simulator', simulatorCommand(fleetFile))] : []),
  ]
  return {
    stop: async () => {
      await Promise.all(members.map((member) => member.stop()))
    },
  }
}

const agentCommand = (server: string, { serial, lan }: ProvisionedDevice, directories: readonly string[]): string[] => [
  inRoot('infra/agent/main.ts'),
  '--server',
  server,
  '--serial',
  serial,
  '--code-file',
  '-',
  '--insecure', // HOST may name another address of this machine
  '--state',
  inData('agents', serial),
  '--virtual-clients',
  ...(lan === null ? [] : ['--lan', `lan0=${lan}`]),
  ...directories.flatMap((target) => ['--directory', target]),
]

const simulatorCommand = (fleetFile: string): string[] => [
  inRoot('infra/simulator/main.ts'),
  '--fleet',
  fleetFile,
  '--state',
  inData('agents', 'simulator'),
  '--insecure',
]

/** Runs a script until stopped, with `input` as its standard input; restarts it after an unexpected exit. */
function keepRunning(name: string, command: string[], input = '') {
  let child: ChildProcess | null = null
  let stopped = false
  const start = () => {
    if (stopped) return
    const log = createWriteStream(inData('logs', `${name}.log`), { flags: 'a' })
    log.on('error', () => {}) // log errors, e.g. a full disk, must not stop the routers
    child = spawn(process.execPath, command, { stdio: ['pipe', 'pipe', 'pipe'] })
    child.stdin?.on('error', () => {}) // it ended before it read
    child.stdin?.end(input)
    child.stdout?.pipe(log)
    child.stderr?.pipe(log)
    child.once('exit', () => {
      child = null
      if (!stopped) setTimeout(start, RESTART_MS).unref()
    })
  }
  start()
  return {
    async stop() {
      stopped = true
      if (!child) return
      const last = child
      const timer = setTimeout(() => last.kill('SIGKILL'), STOP_MS)
      last.kill('SIGTERM')
      await once(last, 'exit')
      clearTimeout(timer)
    },
  }
}
