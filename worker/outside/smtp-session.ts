import { DeliveryError, type FaultOf } from './delivery-error.ts'

/* Session of the SMTP protocol over a socket: commands, replies, STARTTLS. */

/** Subset of the Socket of `cloudflare:sockets` that this client uses. */
export interface SmtpSocket {
  readonly readable: ReadableStream<Uint8Array>
  readonly writable: WritableStream<Uint8Array>
  readonly opened: Promise<unknown>
  startTls(): SmtpSocket
  close(): Promise<void>
}

interface SmtpReply {
  readonly code: number
  readonly lines: readonly string[]
}

const REPLY_MAX = 16_384 // bytes of one reply: a server that never ends it is cut
const encoder = new TextEncoder()

/** Commands and replies of one connection (RFC 5321), one command at a time. */
export class SmtpSession {
  private socket: SmtpSocket
  private reader: ReadableStreamDefaultReader<Uint8Array>
  private writer: WritableStreamDefaultWriter<Uint8Array>
  private received = ''
  private decoder = new TextDecoder()
  private readonly secrets: readonly string[]

  constructor(socket: SmtpSocket, secrets: readonly string[]) {
    this.socket = socket
    this.secrets = secrets
    this.reader = socket.readable.getReader()
    this.writer = socket.writable.getWriter()
  }

  /** Sends a line and reads one of the expected replies. `null` sends nothing, as for the greeting. */
  async command(line: string | null, expected: readonly number[], of: FaultOf = 'provider'): Promise<SmtpReply> {
    if (line !== null) {
      if (/[\r\n\0]/.test(line)) throw new Error('a line break in an SMTP command')
      await this.writer.write(encoder.encode(`${line}\r\n`))
    }
    return this.expect(expected, of)
  }

  /** Sends the message between DATA and the final dot. Lines that begin with a dot get another dot. */
  async data(message: string): Promise<SmtpReply> {
    const lines = message.replace(/\r?\n/g, '\r\n').replace(/^\./gm, '..')
    await this.writer.write(encoder.encode(`${lines}${lines.endsWith('\r\n') ? '' : '\r\n'}.\r\n`))
    return this.expect([250], 'provider')
  }

  /** Starts TLS after the reply to STARTTLS. Unencrypted bytes behind that reply end the session (CVE-2011-0411). */
  async startTls(): Promise<void> {
    if (this.received !== '') throw failed('STARTTLS', 'data behind the reply to STARTTLS')
    this.reader.releaseLock()
    this.writer.releaseLock()
    this.socket = this.socket.startTls()
    await this.socket.opened
    this.decoder = new TextDecoder()
    this.reader = this.socket.readable.getReader()
    this.writer = this.socket.writable.getWriter()
  }

  /** Sends QUIT and does not wait for the answer. */
  async end(): Promise<void> {
    await this.writer.write(encoder.encode('QUIT\r\n'))
    await this.close()
  }

  async close(): Promise<void> {
    await this.socket.close()
  }

  private async expect(expected: readonly number[], of: FaultOf): Promise<SmtpReply> {
    const reply = await this.read()
    if (expected.includes(reply.code)) return reply
    const words = reply.lines.join(' ')
    const isTemporary = reply.code >= 400 && reply.code < 500
    throw new DeliveryError({ of, isRetryable: isTemporary, code: String(reply.code), words }, this.secrets)
  }

  /** Reads a reply: lines `250-…` continue it, `250 …` ends it, and all have the same code. */
  private async read(): Promise<SmtpReply> {
    const lines: string[] = []
    for (let size = 0; ;) {
      const line = await this.line()
      size += line.length
      const [, code = '', separator, text = ''] = /^(\d{3})(?:([ -])(.*))?$/.exec(line) ?? []
      if (code === '' || size > REPLY_MAX || (lines.length > 0 && !lines[0]?.startsWith(code)))
        throw failed('REPLY', 'no SMTP reply')
      lines.push(`${code}${text}`)
      if (separator !== '-') return { code: Number(code), lines: lines.map((kept) => kept.slice(3)) }
    }
  }

  private async line(): Promise<string> {
    for (;;) {
      const end = this.received.indexOf('\n')
      if (end >= 0) {
        const line = this.received.slice(0, end).replace(/\r$/, '')
        this.received = this.received.slice(end + 1)
        return line
      }
      if (this.received.length > REPLY_MAX) throw failed('REPLY', 'a reply without an end')
      const { value, done } = await this.reader.read()
      if (done) throw failed('CLOSED', 'the server closed the connection')
      this.received += this.decoder.decode(value, { stream: true })
    }
  }
}

const failed = (code: string, words: string): DeliveryError =>
  new DeliveryError({ of: 'provider', isRetryable: true, code, words })
