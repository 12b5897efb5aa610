import { spawn } from 'node:child_process'
import type { Socket } from 'node:dgram'
import { once } from 'node:events'
import { type Log, messageOfError } from '#infra/agent/log.ts'
import { launcherInto } from '../programs.ts'

/*
 * Socket for probes in the network namespace of one network: a short process opens it there and hands it over. The kernel keeps
 * a namespace as long as a socket in it is open.
 */

const OPEN_MS = 10_000
/** Program of that process, for Node. */
const PROGRAM = [
  "const socket = require('node:dgram').createSocket('udp4')",
  'socket.bind(Number(process.argv[1]), () => process.send("open", socket, () => process.exit()))',
].join('\n')

export class ProbeSocket {
  private readonly port: number
  private readonly log: Log
  private readonly received: (socket: Socket) => void
  private opened: { readonly namespace: string; readonly socket: Socket | null } | null = null

  /** @param port 0: none is opened. @param received gets each socket once it is open. */
  constructor(port: number, log: Log, received: (socket: Socket) => void) {
    this.port = port
    this.log = log
    this.received = received
  }

  get socket(): Socket | null {
    return this.opened?.socket ?? null
  }

  /** True once it has been opened, or could not be, in the namespace of this identity. */
  isOpenIn(namespace: string): boolean {
    return this.port === 0 || this.opened?.namespace === namespace
  }

  /** Opens it anew. Without it the links have neither round trip time nor loss. */
  async open(namespace: string, file: string): Promise<void> {
    this.close()
    const socket = await openSocket(file, this.port).catch((error: unknown) => {
      this.log(`probes of a network are not answered: ${messageOfError(error)}`)
      return null
    })
    this.opened = { namespace, socket }
    if (socket) this.received(socket)
  }

  close(): void {
    this.opened?.socket?.close()
    this.opened = null
  }
}

async function openSocket(file: string, port: number): Promise<Socket> {
  const [program = '', ...args] = [...(await launcherInto(file)), process.execPath, '-e', PROGRAM, String(port)]
  const stdio = ['ignore', 'ignore', 'ignore', 'ipc'] as const
  const child = spawn(program, args, { stdio: [...stdio], timeout: OPEN_MS, killSignal: 'SIGKILL', env: {} })
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`it ended with ${code}`)
  })
  ended.catch(() => {}) // after the socket
  const [, socket] = (await Promise.race([once(child, 'message'), ended])) as [unknown, Socket]
  return socket
}
