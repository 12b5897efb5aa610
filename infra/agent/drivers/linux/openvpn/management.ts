import { once } from 'node:events'
import { type Socket, connect } from 'node:net'
import { type ClientBlock, type ManagementEvent, readManagementLine } from './management-lines.ts'

/* Connection to the management socket of one process. It takes one client at a time. */

interface Pending {
  readonly isList: boolean
  readonly lines: string[]
  resolve(lines: readonly string[]): void
  reject(error: Error): void
}

const REPLY_MS = 10_000
const LINE_MAX = 65_536

export interface ManagementListener {
  event(event: Exclude<ManagementEvent, { type: 'reply' }>): void
  closed(): void
}

export class Management {
  private readonly socket: Socket
  private readonly listener: ManagementListener
  private readonly pending: Pending[] = []
  private rest = ''
  private block: ClientBlock | null = null

  private constructor(socket: Socket, listener: ManagementListener) {
    this.socket = socket
    this.listener = listener
    socket.setEncoding('utf8')
    socket.on('data', (text: string) => this.onData(text))
    socket.on('error', () => {}) // it closes
    socket.on('close', () => {
      for (const each of this.pending.splice(0)) each.reject(new Error('the management socket closed'))
      listener.closed()
    })
  }

  /** Rejects if nothing listens at the path. */
  static async open(path: string, listener: ManagementListener): Promise<Management> {
    const socket = connect(path)
    await once(socket, 'connect')
    return new Management(socket, listener)
  }

  /** Sends a command with a reply of one line; throws if it is refused. Values from outside may not be in it. */
  async command(text: string): Promise<string> {
    const [line = ''] = await this.send(text, false)
    if (!line.startsWith('SUCCESS')) throw new Error(`${text.split(' ')[0]}: ${line.slice(0, 200)}`)
    return line
  }

  /** Sends a command whose reply ends with END. */
  list(text: string): Promise<readonly string[]> {
    return this.send(text, true)
  }

  close(): void {
    this.socket.destroy()
  }

  private send(text: string, isList: boolean): Promise<readonly string[]> {
    if (this.socket.destroyed) return Promise.reject(new Error('the management socket is closed'))
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new Error('the management socket does not answer'))
        this.close() // a late reply would be taken for that of the next command
      }, REPLY_MS)
      const settle =
        <T>(then: (value: T) => void) =>
        (value: T) => (clearTimeout(timer), then(value))
      this.pending.push({ isList, lines: [], resolve: settle(resolve), reject: settle(reject) })
      this.socket.write(`${text}\n`)
    })
  }

  private onData(text: string): void {
    const lines = (this.rest + text).split('\n')
    this.rest = lines.pop() ?? ''
    if (this.rest.length > LINE_MAX) return this.close()
    for (const line of lines) this.onLine(line.replace(/\r$/, ''))
  }

  private onLine(line: string): void {
    const { event, block } = readManagementLine(line, this.block)
    this.block = block
    if (event === null) return
    if (event.type !== 'reply') return this.listener.event(event)
    const [head] = this.pending
    if (!head) return
    const isOver = !head.isList || event.line === 'END' || event.line.startsWith('ERROR')
    if (!isOver || !head.isList) head.lines.push(event.line)
    if (!isOver) return
    this.pending.shift()
    head.resolve(head.lines)
  }
}
