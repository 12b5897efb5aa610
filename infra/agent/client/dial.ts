import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { clientApi } from '#contract/client/index.ts'
import type { Output } from '#contract/kernel/endpoint.ts'
import { messageOfError } from '../log.ts'
import { Management } from '../drivers/linux/openvpn/management.ts'
import type { ManagementEvent } from '../drivers/linux/openvpn/management-lines.ts'
import { readFailure } from '../drivers/linux/openvpn/temporary-failure.ts'
import { toStaticKey } from '#domain/client/static-key.ts'
import { requireProgram } from '../drivers/linux/programs.ts'
import { renderOpenvpnClient } from '../drivers/render/openvpn-client.ts'

/* Dial of a software member: runs OpenVPN, and answers its questions with a fresh token each time. */

export type DialOffer = Output<typeof clientApi.dial>

interface DialOptions {
  readonly state: string
  /** Number of the network. */
  readonly number: string
  print(line: string): void
  /** Wait before another try; grows with refusals. */
  readonly retryMs?: number
  /** Servers, keys and a token; throws with the sentence of the service if the member may not dial. */
  offer(): Promise<DialOffer>
}

/** Refusals of one reason in a row after which the client gives up. */
const REFUSALS_MAX = 3
const RETRY_MS = 5_000 // by default
const SOCKET_MS = 10_000
const POLL_MS = 50
const LOG_LINES = 20
/** Those of the servers: with smaller ones a fast transfer loses packets. */
const BUFFERS = ['sndbuf 1048576', 'rcvbuf 1048576', 'txqueuelen 4000']
const BYTE_COUNTS_S = 1

/** Resolvers that a centre gives a client with its address, from a line of OpenVPN's log. */
export const pushedDns = (line: string): string[] =>
  line.includes('PUSH_REPLY') ? [...line.matchAll(/dhcp-option DNS ([\d.]+)/g)].map(([, ip = '']) => ip) : []

/** Resolves when the program is stopped by a signal; rejects with a sentence for the person when the dial is over. */
export async function dialNetwork(options: DialOptions): Promise<void> {
  const folder = join(options.state, 'dial', options.number)
  const offer = await options.offer()
  const socket = join(folder, 'openvpn.sock')
  const config = await writeProfile(folder, offer, socket)
  const child = spawn(await requireProgram('openvpn'), ['--config', config], { stdio: ['ignore', 'pipe', 'inherit'] })
  const log: string[] = []
  createInterface({ input: child.stdout }).on('line', (line) => {
    log.push(line)
    log.splice(0, log.length - LOG_LINES)
    const dns = pushedDns(line)
    if (dns.length > 0) options.print(`the network's DNS: ${dns.join(', ')}`)
  })
  const stop = () => child.kill('SIGTERM')
  process.once('SIGINT', stop).once('SIGTERM', stop)
  const ended = once(child, 'exit') as Promise<[number | null]>
  const session = new DialSession(options, child)
  try {
    await session.attach(socket)
    const [code] = await ended
    if (session.failure !== null) throw new Error(session.failure)
    if (code !== 0) throw new Error(`openvpn ended: ${log.filter(Boolean).slice(-3).join('; ')}`)
  } finally {
    session.printVolume()
    child.kill('SIGTERM')
    process.off('SIGINT', stop).off('SIGTERM', stop)
  }
}

async function writeProfile(folder: string, offer: DialOffer, socket: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await rm(socket, { force: true })
  const files = { ca: join(folder, 'ca.pem'), control: join(folder, 'control.key') }
  const own = [`management ${socket} unix`, 'management-query-passwords', 'keepalive 3 9', ...BUFFERS]
  const profile = renderOpenvpnClient(offer, files, own)
  if (profile === null) throw new Error('no server of the network has an address that can be dialled yet')
  const config = join(folder, 'client.conf')
  for (const [path, text] of [
    [files.ca, offer.ca],
    [files.control, toStaticKey(offer.control_key)],
    [config, profile],
  ] as const)
    await writeFile(path, text, { mode: 0o600 })
  return config
}

/** Form of values for the management interface; others would need quoting. */
const PLAIN = /^[\w.@~-]{1,128}$/

class DialSession {
  /** Sentence that ends the dial; null while it goes on. */
  failure: string | null = null
  private readonly options: DialOptions
  private readonly child: ChildProcess
  private management: Management | null = null
  private readonly retryMs: number
  private lastReason = ''
  private refusals = 0
  private volume: Extract<Event, { type: 'bytes' }> | null = null

  constructor(options: DialOptions, child: ChildProcess) {
    this.options = options
    this.retryMs = options.retryMs ?? RETRY_MS
    this.child = child
  }

  async attach(socket: string): Promise<void> {
    const until = performance.now() + SOCKET_MS
    const listener = { event: (event: Event) => this.onEvent(event), closed: () => {} }
    while (this.management === null) {
      if (this.child.exitCode !== null || performance.now() > until) return
      this.management = await Management.open(socket, listener).catch(() => null)
      if (this.management === null) await sleep(POLL_MS)
    }
    await this.management.command('state on')
    await this.management.command(`bytecount ${BYTE_COUNTS_S}`)
  }

  /** Prints the bytes of the last connection, as OpenVPN counts them. */
  printVolume(): void {
    const { volume } = this
    if (volume !== null) this.options.print(`received ${volume.rx} bytes, sent ${volume.tx}`)
  }

  private onEvent(event: Event): void {
    if (event.type === 'state') this.onState(event)
    else if (event.type === 'notice') this.onNotice(event)
    else if (event.type === 'bytes') this.volume = event
  }

  private onNotice({ kind, text }: Extract<Event, { type: 'notice' }>): void {
    if (kind === 'PASSWORD' && text.startsWith('Need'))
      this.answer().catch((error: unknown) => this.end(messageOfError(error)))
    else if (kind === 'PASSWORD' && text.startsWith('Verification')) this.onRefused(/\['(.*)'\]/s.exec(text)?.[1] ?? '')
    else if (kind === 'NOTIFY' && text.includes('server-pushed-halt')) {
      this.options.print('the centre has ended the dial')
      this.end(text.split(',').slice(2).join(','))
    }
  }

  private onState({ state, localIp, remoteIp }: Extract<Event, { type: 'state' }>): void {
    if (state === 'CONNECTED') {
      this.refusals = 0
      this.options.print(`connected to ${remoteIp} as ${localIp}`)
    } else if (state === 'RECONNECTING') this.options.print('the tunnel is cut; dialling again')
  }

  /** Gives name and token. A service that refuses ends the dial, one that does not answer is asked again. */
  private async answer(): Promise<void> {
    if (this.refusals > 0) await sleep(this.retryMs * this.refusals)
    const offer = await this.nextOffer()
    if (offer === null) return
    const { router_name: name, token } = offer
    if (!PLAIN.test(name) || !PLAIN.test(token))
      return void this.end('the service gave a name or token of another form')
    await this.management?.command(`username "Auth" "${name}"`)
    await this.management?.command(`password "Auth" "${token}"`)
  }

  private async nextOffer(): Promise<DialOffer | null> {
    while (this.child.exitCode === null && this.failure === null) {
      try {
        return await this.options.offer()
      } catch (error) {
        const isUnanswered = error instanceof TypeError // of fetch: no answer
        if (!isUnanswered) return this.end(messageOfError(error))
        this.options.print('the service does not answer; asking again')
        await sleep(this.retryMs)
      }
    }
    return null
  }

  private onRefused(text: string): void {
    const { sentence: reason, isTemporary } = readFailure(text)
    this.options.print(`refused: ${reason || 'no reason given'}`)
    if (isTemporary) return // OpenVPN dials again by itself
    const isSame = reason === this.lastReason
    this.refusals = isSame ? this.refusals + 1 : 1
    this.lastReason = reason
    if (this.refusals >= REFUSALS_MAX) this.end(reason)
  }

  private end(reason: string): null {
    this.failure ??= reason
    this.child.kill('SIGTERM')
    return null
  }
}

type Event = Exclude<ManagementEvent, { type: 'reply' }>
