import { type ChildProcess, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { type AddressInfo, type Socket, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { inRoot } from '#infra/local/paths.ts'
import type { ClaimedDevice } from '../account.ts'
import { end } from '../stack.ts'

/* Devices that the bench of outages stops: agents and a simulator, each a process of its own. */

/** A process of devices. Frozen it keeps its sockets, as after a power cut; killed its connections are closed. */
export interface DeviceProcess {
  freeze(): void
  thaw(): void
  kill(): Promise<void>
  start(): void
  stop(): Promise<void>
}

/** The real agent of a device. @param options of its command line */
export const agentProcess = (
  server: string,
  folder: string,
  { serial, code }: ClaimedDevice,
  options: readonly string[] = [],
): DeviceProcess => {
  const state = join(folder, serial)
  const named = ['--server', server, '--serial', serial, '--state', state, '--code-file', '-', '--quiet']
  return startProcess(['infra/agent/main.ts', ...named, ...options], code)
}

/** A simulator of several devices. */
export function simulatorProcess(server: string, folder: string, devices: readonly ClaimedDevice[]): DeviceProcess {
  const file = join(folder, 'fleet.json')
  writeFileSync(file, JSON.stringify({ server, devices }), { mode: 0o600 })
  return startProcess(['infra/simulator/main.ts', '--fleet', file, '--state', join(folder, 'simulator'), '--quiet'])
}

/** Ended with this process: a frozen one would stay for ever. */
const running = new Set<ChildProcess>()
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')))

function startProcess([script = '', ...args]: readonly string[], input = ''): DeviceProcess {
  let child: ChildProcess | null = null
  const kill = async () => {
    if (child) await end(child, 'SIGKILL') // works on a stopped process, too
    if (child) running.delete(child)
    child = null
  }
  const start = () => {
    child = spawn(process.execPath, [inRoot(script), ...args], { stdio: ['pipe', 'ignore', 'ignore'] })
    running.add(child)
    child.stdin?.on('error', () => {}).end(input)
  }
  start()
  return {
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    kill,
    start,
    stop: kill,
  }
}

export interface SiteProxy {
  readonly url: string
  close(): Promise<void>
}

const REQUEST_LINE = /^(?:GET|POST) [^\r\n]+ HTTP\/1\.1\r\n/u

/** A proxy that names a public address as the source of each request, as the platform's edge would. */
export async function startSiteProxy(target: string, address: string): Promise<SiteProxy> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
    return socket
  }
  const server = createServer((device) => {
    const service = keep(connect({ host: hostname, port: Number(port) }))
    keep(device).on('data', (bytes) => {
      const text = bytes.toString('latin1')
      service.write(
        text.replace(REQUEST_LINE, (line) => `${line}cf-connecting-ip: ${address}\r\n`),
        'latin1',
      )
    })
    device.on('end', () => service.end())
    service.pipe(device)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((done) => server.close(done))
    },
  }
}
