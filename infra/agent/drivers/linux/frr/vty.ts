import { once } from 'node:events'
import { type Socket, connect } from 'node:net'

/* Client of the vty socket of a FRR daemon: a command is its text and NUL, its answer a text, three NULs and a code. */

/** Answer to a command: 0 done, 1 warning, 2 unknown command, 13 refused. */
export interface VtyAnswer {
  readonly line: string
  readonly code: number
  readonly text: string
}

const TIMEOUT_MS = 10_000
const COMMIT_MS = 120_000 // of a centre with thousands of links
const END = Buffer.alloc(3)

export class VtyClient {
  private readonly socket: Socket

  private constructor(socket: Socket) {
    this.socket = socket
  }

  /** Rejects if no daemon listens at the socket, or none accepts within the time limit. */
  static async open(path: string, timeoutMs: number = TIMEOUT_MS): Promise<VtyClient> {
    const socket = connect(path)
    try {
      await once(socket, 'connect', { signal: AbortSignal.timeout(timeoutMs) })
    } catch (error) {
      socket.destroy()
      throw error
    }
    socket.on('error', () => {}) // the command that waits gets it
    return new VtyClient(socket)
  }

  /** Sends one command. Rejects if the daemon ends or does not answer within the time limit. */
  ask(line: string, timeoutMs: number = TIMEOUT_MS): Promise<VtyAnswer> {
    if (/[\n\r\0]/.test(line)) throw new Error(`not one command: ${JSON.stringify(line)}`)
    const { socket } = this
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = []
      let tail = Buffer.alloc(0)
      const settle = (error: Error | null, data = Buffer.alloc(0)) => {
        clearTimeout(timer)
        socket.off('data', onData).off('error', onError).off('close', onClose)
        if (error) reject(error)
        else resolve({ line, code: data.at(-1) ?? -1, text: data.subarray(0, -4).toString() })
      }
      const onData = (chunk: Buffer) => {
        chunks.push(chunk)
        tail = Buffer.concat([tail, chunk]).subarray(-4)
        if (tail.length === 4 && tail.subarray(0, 3).equals(END)) settle(null, Buffer.concat(chunks))
      }
      const onError = (error: Error) => settle(error)
      const onClose = () => settle(new Error(`the daemon ended at: ${line}`))
      const timer = setTimeout(() => settle(new Error(`no answer to: ${line}`)), timeoutMs)
      socket.on('data', onData).once('error', onError).once('close', onClose)
      socket.write(`${line}\0`)
    })
  }

  close(): void {
    this.socket.destroy()
  }
}

/** Runs a query in a daemon, and returns its text; rejects unless the code is 0. */
export async function queryDaemon(path: string, command: string): Promise<string> {
  const client = await VtyClient.open(path)
  try {
    await client.ask('enable')
    const { code, text } = await client.ask(command)
    if (code !== 0) throw new Error(`${command}: ${text.trim() || `code ${code}`}`)
    return text
  } finally {
    client.close()
  }
}

/** Marks of vtysh around a file, between which a daemon commits its lists and maps at once: alone, each takes milliseconds. */
const FIRST = 'XFRR_start_configuration'
const LAST = 'XFRR_end_configuration'

/**
 * Runs all lines in the configuration mode of a daemon, and returns those that it did not accept. A list or map that fails
 * with its commit is not among these, and is missing from the running configuration.
 *
 * @param isBatched false: each line is committed alone and answered for itself, which takes minutes for a large centre.
 */
export async function configureDaemon(
  path: string,
  lines: readonly string[],
  isBatched = true,
): Promise<readonly VtyAnswer[]> {
  const client = await VtyClient.open(path)
  try {
    const refused: VtyAnswer[] = []
    for (const line of ['enable', 'configure terminal', ...(isBatched ? [FIRST, ...lines, LAST] : lines)]) {
      const answer = await client.ask(line, COMMIT_MS)
      if (answer.code !== 0) refused.push(answer)
    }
    await client.ask('end')
    return refused
  } finally {
    client.close()
  }
}

/** Refused lines with the reasons of the daemon, a line each. */
export const refusalText = (refused: readonly VtyAnswer[]): string =>
  refused.map(({ line, code, text }) => `${line.trim()}: ${text.trim() || `code ${code}`}`).join('\n')
