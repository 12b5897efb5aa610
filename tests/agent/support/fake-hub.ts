import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { type JWK, importJWK, jwtVerify } from 'jose'
import { type WebSocket, WebSocketServer } from 'ws'
import {
  type AgentFrame,
  CLOSE,
  DOCUMENT_HEADER,
  type HubFrame,
  PING,
  PONG,
  RETURN_TICKET_HEADER,
  agentFrame,
  hubFrame,
} from '#contract/kernel/protocol.ts'
import { TUNNEL } from '#contract/kernel/tunnel-frames.ts'
import type { RouterDocument } from '#contract/device/document.ts'
import { documentHash } from '#infra/agent/hub/frames.ts'

export interface FakeDevice {
  readonly socket: WebSocket
  /** Received frames, oldest first. */
  readonly frames: AgentFrame[]
  pings: number
  /** Nothing is answered any more, the socket stays open. */
  isSilent: boolean
  send(frame: HubFrame): void
  ofType<T extends AgentFrame['t']>(t: T): Extract<AgentFrame, { t: T }>[]
}

export interface FakeHubOptions {
  readonly port?: number
  readonly heartbeatSeconds?: number
  readonly spreadSeconds?: number
  readonly codes?: Readonly<Record<string, string>>
  readonly serverTime?: () => number
  /** Of a hub at https://localhost. */
  readonly tls?: { readonly key: string; readonly cert: string }
}

/** Speaks worker/contract/kernel/protocol.ts to the letter: a frame that does not parse closes the socket with CLOSE.protocol. */
export class FakeHub {
  readonly keys = new Map<string, JWK>()
  readonly devices: FakeDevice[] = []
  readonly requests: string[] = []
  /** Header of each upgrade by which a device says that it runs a configuration. */
  readonly documents: (string | undefined)[] = []
  /** Header of each upgrade with the device's return ticket. */
  readonly tickets: (string | undefined)[] = []
  /** The same of each request for the reason of a refusal. */
  readonly explanationTickets: (string | undefined)[] = []
  /** Return ticket of the next welcomes. */
  ticket: string | undefined
  /** Protocol that the next welcomes ask for. */
  leastProtocol: number | undefined
  /** Entries of the next welcomes. */
  entries: string[] | undefined
  /** Sockets of tunnels, oldest first. */
  readonly tunnels: { readonly socket: WebSocket; readonly ticket: string }[] = []
  /** A refusal for every connection while set. */
  refusal: { code: number; msg: string; reason?: string; data?: object } | null = null
  /** A refusal for every enrolment while set. */
  enrolmentRefusal: FakeHub['refusal'] = null
  /** Code and reason of a close that every socket gets at once while set. */
  closing: readonly [number, string] | null = null
  /** HTTP status without a body, for every request while set: what a proxy answers. */
  fault: number | null = null
  desired: { version: number; hash: string } | null = null
  private epoch = 0
  private readonly options: FakeHubOptions
  private readonly http: ReturnType<typeof createServer>
  private readonly sockets = new WebSocketServer({ noServer: true })

  constructor(options: FakeHubOptions = {}) {
    this.options = options
    this.http = options.tls ? createTlsServer(options.tls) : createServer()
  }

  get url(): string {
    const { port } = this.http.address() as AddressInfo
    return this.options.tls ? `https://localhost:${port}` : `http://127.0.0.1:${port}`
  }

  get last(): FakeDevice {
    return this.devices.at(-1)!
  }

  async start(): Promise<this> {
    this.http.on('request', (request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        this.requests.push(request.url ?? '')
        if (request.url?.endsWith('/connect'))
          this.explanationTickets.push(request.headers[RETURN_TICKET_HEADER]?.toString())
        if (this.fault !== null) return void response.writeHead(this.fault).end()
        const date = new Date(this.options.serverTime?.() ?? Date.now()).toUTCString()
        response.setHeader('date', date).setHeader('content-type', 'application/json')
        const body = Buffer.concat(chunks).toString()
        const answering = request.url?.endsWith('/enrol')
          ? Promise.resolve(this.enrol(JSON.parse(body)))
          : this.refusalOf(request.headers.authorization)
        void answering.then((answer) =>
          response.end(JSON.stringify({ data: null, ...(answer ?? { code: 200, msg: '' }) })),
        )
      })
    })
    this.http.on('upgrade', (request, socket, head) => {
      this.documents.push(request.headers[DOCUMENT_HEADER]?.toString())
      this.tickets.push(request.headers[RETURN_TICKET_HEADER]?.toString())
      if (this.fault !== null) return void socket.end(`HTTP/1.1 ${this.fault} Fault\r\nContent-Length: 0\r\n\r\n`)
      void this.refusalOf(request.headers.authorization).then((refusal) => {
        if (refusal) socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n')
        else
          this.sockets.handleUpgrade(request, socket, head, (accepted) => {
            if (this.closing !== null) return accepted.close(...this.closing)
            const ticket = request.headers[TUNNEL.ticketHeader]
            if (!request.url?.endsWith('/tunnel')) return this.accept(accepted)
            accepted.pause() // until the test listens
            this.tunnels.push({ socket: accepted, ticket: String(ticket) })
          })
      })
    })
    await new Promise<void>((resolve) => this.http.listen(this.options.port ?? 0, '127.0.0.1', resolve))
    return this
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets.clients) socket.terminate()
    this.http.closeAllConnections()
    await new Promise((resolve) => this.http.close(resolve))
  }

  private enrol({ serial, activation_code, public_key }: { serial: string; activation_code: string; public_key: JWK }) {
    if (this.enrolmentRefusal !== null) return this.enrolmentRefusal
    if (this.options.codes?.[serial] !== activation_code) return { code: 422, msg: '序列号或激活码不正确' }
    if (this.keys.has(serial)) return { code: 403, msg: '设备密钥已登记，请先重置激活码' }
    if ('d' in public_key) throw new Error('the private key left the device')
    this.keys.set(serial, public_key)
    return { code: 200, msg: '' }
  }

  private async refusalOf(authorization = ''): Promise<FakeHub['refusal']> {
    const rejected = { code: 2003, msg: '设备身份校验失败' }
    const token = authorization.replace('Bearer ', '')
    const { iss } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString() || '{}') as {
      iss?: string
    }
    const jwk = this.keys.get(iss ?? '')
    if (!jwk) return rejected
    try {
      const currentDate = new Date(this.options.serverTime?.() ?? Date.now())
      const options = {
        audience: 'netloom-device',
        algorithms: ['EdDSA'],
        maxTokenAge: 60,
        clockTolerance: 5,
        currentDate,
      }
      const { payload } = await jwtVerify(token, await importJWK(jwk, 'EdDSA'), options)
      if (!payload.jti || payload.exp! - payload.iat! > 60) return rejected
    } catch {
      return rejected
    }
    return this.refusal
  }

  private accept(socket: WebSocket): void {
    const frames: AgentFrame[] = []
    const device: FakeDevice = {
      socket,
      frames,
      pings: 0,
      isSilent: false,
      send: (frame) => socket.send(JSON.stringify(hubFrame.parse(frame))),
      ofType: <T extends AgentFrame['t']>(t: T) => frames.filter((f): f is Extract<AgentFrame, { t: T }> => f.t === t),
    }
    this.devices.push(device)
    socket.on('message', (data: Buffer) => {
      const text = data.toString()
      if (text === PING) {
        device.pings += 1
        if (!device.isSilent) socket.send(PONG)
        return
      }
      const parsed = agentFrame.safeParse(JSON.parse(text))
      if (!parsed.success || text.length > 65_536) return socket.close(CLOSE.protocol, 'bad frame')
      if (frames.length === 0 && parsed.data.t !== 'hello') return socket.close(CLOSE.protocol, 'hello comes first')
      frames.push(parsed.data)
      if (parsed.data.t === 'hello' && !device.isSilent) {
        device.send({
          t: 'welcome',
          epoch: ++this.epoch,
          server_time: this.options.serverTime?.() ?? Date.now(),
          heartbeat_s: this.options.heartbeatSeconds ?? 25,
          spread_s: this.options.spreadSeconds ?? 45,
          desired: this.desired,
          ticket: this.ticket,
          least_protocol: this.leastProtocol,
          entries: this.entries,
        })
      }
    })
  }
}

export function configFrame(
  version: number,
  body: RouterDocument,
  confirmSeconds = 120,
): Extract<HubFrame, { t: 'config' }> {
  return { t: 'config', version, hash: documentHash(body), body, confirm_s: confirmSeconds }
}
