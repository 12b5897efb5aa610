import type { DocumentLink, SentDocument } from '#contract/device/document.ts'
import type { AgentFrame, DialReport, HubFrame, InterfaceInfo, LinkReport } from '#contract/kernel/protocol.ts'
import { linkId } from '#domain/network/members/links.ts'
import type { ClaimedDevice } from '#infra/bench/account.ts'
import { SITES, type SiteName } from '#infra/lab/bed/sites.ts'
import { type DeviceSocket, connectDevice } from './device-socket.ts'

/*
 * A router of a recording. It sends the frames of a real agent with the names of the test: `{net}` is the network, `{C}` the
 * router of site C, `{C>A}` the link that C dials to A, `{C@A}` the inner address of C on it, `{member}` a software member.
 */

export type Stage = 'well' | 'cut' | 'lan' | 'kernel' | 'routes'

type FrameOf<T extends AgentFrame['t']> = Extract<AgentFrame, { t: T }>
type Counted = Pick<FrameOf<'counters'>, 'interfaces' | 'links' | 'trunks'>
type Command = Extract<HubFrame, { t: 'command' }>
type Result = Omit<FrameOf<'job_result'>, 't' | 'id'>

interface RecordedStage {
  readonly links: readonly LinkReport[]
  readonly answers: readonly { readonly question: object; readonly result: Result }[]
}

interface RecordedDevice {
  readonly hello: FrameOf<'hello'>
  /** Interfaces that it has once its configuration runs. */
  readonly tunnels: readonly InterfaceInfo[]
  readonly counters: readonly Counted[]
}

export interface Recording {
  readonly routers: Readonly<Record<string, RecordedDevice>>
  /** Dial of the software member into a centre. */
  readonly dial: { readonly at: string; readonly report: DialReport }
  /** Differences from the stage `well`. */
  readonly stages: Readonly<Record<Stage, Readonly<Record<string, RecordedStage>>>>
}

/** Names of the test, the same for all its routers. */
export interface Names {
  readonly network: string
  readonly member: string
  nameOf(site: string): string
  siteOf(name: string): string
  /** Inner addresses, such as that of `C@A`, as the documents of the routers have them. */
  readonly addresses: Map<string, string>
}

export class RecordedRouter {
  /** Questions that the recording has no answer to. */
  readonly unanswered: string[] = []
  /** Requests of the hub for counters, the newest last. */
  readonly streams: Extract<HubFrame, { t: 'stream' }>[] = []
  private readonly recording: Recording
  private readonly device: RecordedDevice
  private readonly site: SiteName
  private readonly names: Names
  private readonly counters: Counters
  private socket: DeviceSocket | null = null
  private applied: { readonly version: number; readonly hash: string } | null = null
  private links: readonly DocumentLink[] = []
  private stage: Stage = 'well'
  private hasDial: boolean
  private held: (() => void)[] | null = null
  private timer: ReturnType<typeof setInterval> | undefined

  constructor(recording: Recording, site: SiteName, names: Names) {
    this.recording = recording
    this.site = site
    this.names = names
    this.hasDial = recording.dial.at === site
    this.device = recording.routers[site]!
    this.counters = new Counters(this.device.counters)
  }

  async connect(origin: string, { serial, code }: ClaimedDevice): Promise<void> {
    const { address } = SITES[this.site]
    this.socket = await connectDevice(origin, { serial, code, address, onFrame: (frame) => this.onFrame(frame) })
    this.socket.send({ ...this.device.hello, serial, applied: null })
  }

  close(): void {
    clearInterval(this.timer)
    this.socket?.close()
  }

  play(stage: Stage): void {
    this.stage = stage
    this.sendLinks()
  }

  /** Keeps answers back until the returned function is called. */
  hold(): () => void {
    const held: (() => void)[] = []
    this.held = held
    return () => {
      this.held = null
      for (const answer of held) answer()
    }
  }

  private onFrame(frame: HubFrame): void {
    switch (frame.t) {
      case 'config':
        return this.apply(frame.body, { version: frame.version, hash: frame.hash })
      case 'stream':
        return this.stream(frame)
      case 'command':
        return this.held ? void this.held.push(() => this.answer(frame)) : this.answer(frame)
    }
  }

  private send(frame: AgentFrame): void {
    this.socket?.send(frame)
  }

  private apply(body: SentDocument, applied: { readonly version: number; readonly hash: string }): void {
    this.applied = applied
    this.links = body.networks.flatMap(({ links }) => links as readonly DocumentLink[])
    for (const { peer, local_ip, remote_ip } of this.links) {
      const other = this.names.siteOf(peer)
      this.names.addresses.set(`${this.site}@${other}`, local_ip).set(`${other}@${this.site}`, remote_ip)
    }
    for (const state of ['received', 'applied', 'confirmed'] as const)
      this.send({ t: 'config_result', ...applied, state })
    const { hello, tunnels } = this.device
    this.send({ t: 'interfaces', interfaces: [...hello.interfaces, ...this.fill(tunnels)] })
    this.sendLinks()
    this.sendCounters(false)
    this.sendDial(null)
  }

  private sendLinks(): void {
    const { links } = this.staged()
    const known = links.filter(({ id }) => this.links.some((link) => link.id === id))
    this.send({ t: 'links', links: known })
  }

  private stream(frame: Extract<HubFrame, { t: 'stream' }>): void {
    this.streams.push(frame)
    clearInterval(this.timer)
    if (!frame.on) return
    const endsAt = performance.now() + frame.lease_s * 1_000
    this.timer = setInterval(() => {
      if (performance.now() < endsAt) this.sendCounters(frame.trunks ?? false)
      else clearInterval(this.timer)
    }, frame.rate_ms)
  }

  private sendCounters(hasTrunks: boolean): void {
    const { interfaces, links, trunks } = this.fill(this.counters.next())
    const { boot_id } = this.device.hello
    this.send({
      t: 'counters',
      boot_id,
      at: performance.now(),
      applied: this.applied,
      interfaces,
      ...(links && { links }),
      ...(hasTrunks && trunks && { trunks }),
    })
  }

  /** @param endedMs age of its end; null: it is open. */
  private sendDial(endedMs: number | null): void {
    const { report } = this.recording.dial
    if (this.hasDial) this.send({ t: 'dial', dials: [{ ...this.fill(report), ended_ms: endedMs }] })
  }

  private answer({ id, kind, params }: Command): void {
    if (kind === 'report') this.sendLinks()
    const done = (result: Result) => this.send({ t: 'job_result', id, ...result })
    if (kind === 'report') return done({ state: 'done' })
    if (kind === 'kill_user') return done(this.endDial(params))
    const asked = toKey({ kind, ...params })
    const known = this.staged().answers.find(({ question }) => toKey(question) === asked)
    if (!known) this.unanswered.push(`${this.site} ${this.stage} ${asked}`)
    done(known?.result ?? { state: 'failed', reason: '设备未能执行诊断' })
  }

  /** The recorded dial is by none of the profiles that a test makes. */
  private endDial({ name, profile = null }: Command['params']): Result {
    const isOpen = this.hasDial && name === this.names.member && profile === null
    if (!isOpen) return { state: 'done', data: { sessions: 0 }, reason: '该成员当前没有连接' }
    this.sendDial(0)
    this.hasDial = false
    return { state: 'done', data: { sessions: 1 } }
  }

  /** Links and answers of the present stage. */
  private staged(): RecordedStage {
    const { stages } = this.recording
    const [well, own] = [stages.well[this.site]!, stages[this.stage][this.site]]
    const ids = new Set(own?.links.map(({ id }) => id))
    return this.fill({
      links: [...well.links.filter(({ id }) => !ids.has(id)), ...(own?.links ?? [])],
      answers: [...(own?.answers ?? []), ...well.answers],
    })
  }

  private fill<T>(recorded: T): T {
    const { network, member, nameOf, addresses } = this.names
    const text = JSON.stringify(recorded).replaceAll(/\{(\w+)(?:([>@])(\w+))?\}/g, (_, name, sign, other) => {
      if (sign === '>') return linkId(network, nameOf(name), nameOf(other))
      if (sign === '@') return addresses.get(`${name}@${other}`) ?? ''
      return name === 'net' ? network : name === 'member' ? member : nameOf(name)
    })
    return JSON.parse(text) as T
  }
}

const toKey = (question: object): string => JSON.stringify(Object.entries(question).toSorted())

type Sums = { readonly [name: string]: number | Sums }

/** Counters that go on growing as they grew in the recording, again and again. */
class Counters {
  private readonly samples: readonly Counted[]
  private sums: Sums
  private turn = 0
  private readAt = performance.now()

  constructor(samples: readonly Counted[]) {
    this.samples = samples
    this.sums = samples[0] as Sums
  }

  next(): Counted {
    const at = this.turn++ % (this.samples.length - 1)
    const now = performance.now()
    this.sums = grow(this.sums, this.samples[at] as Sums, this.samples[at + 1] as Sums, (now - this.readAt) / 1_000)
    this.readAt = now
    return this.sums as Counted
  }
}

/** The age of a tunnel grows with the time that has passed, other sums as between two samples. */
function grow(sums: Sums, from: Sums, to: Sums, passedS: number): Sums {
  const grown = (name: string, after: Sums[string]): Sums[string] => {
    const [sum, before] = [sums[name]!, from[name]!]
    if (typeof after !== 'number') return grow(sum as Sums, before as Sums, after, passedS)
    if (name === 'rtt_max_ms') return after
    return (sum as number) + (name === 'since_s' ? passedS : after - (before as number))
  }
  return Object.fromEntries(Object.entries(to).map(([name, after]) => [name, grown(name, after)]))
}
