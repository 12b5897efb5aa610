import type { LinkCounters, TrunkCounters } from '#contract/device/counters.ts'
import { type AgentFrame, DOCUMENT_HEADER, type HubFrame, type LinkReport } from '#contract/kernel/protocol.ts'
import type { SentDocument } from '#contract/device/document.ts'
import { QUESTION, QUESTION_KINDS } from '#contract/device/questions.ts'
import { FLOWS, PROTOCOL_VERSION } from '#contract/kernel/hub-limits.ts'
import { TUNNEL } from '#contract/kernel/tunnel-frames.ts'
import { ENDPOINTS, VPN } from '#contract/device/limits.ts'
import { JOB_CAPABILITIES } from '#domain/network/members/jobs.ts'
import type { ActivationCode } from './hub/activation-code.ts'
import type { Clock } from './clock.ts'
import type { ConfigDocument, ConfigRecord } from './config/config-machine.ts'
import { ConfigRunner, readConfigRecord } from './config/config-runner.ts'
import { isIntact } from './hub/frames.ts'
import { HubConnection, socketUrl } from './hub/hub-connection.ts'
import { DeviceIdentity } from './hub/identity.ts'
import { ReturnTicket } from './hub/return-ticket.ts'
import { ServerAddresses } from './hub/server-addresses.ts'
import { type CommandResult, Commands, readCommandResults } from './commands.ts'
import { DialReporter, type KeptDials, readDials, type DialSource } from './reports/dial-reporter.ts'
import type { Driver } from './drivers/driver.ts'
import { type FlowLog, FlowReporter } from './flows/flow-reporter.ts'
import type { OpenSocket } from './agent-socket.ts'
import type { RouterKey } from './keys/router-key.ts'
import { LinkReporter } from './reports/link-reporter.ts'
import { messageOfError, type Log } from './log.ts'
import { macOf, type Machine } from './machine/machine.ts'
import type { Prober } from './probe/prober.ts'
import { type AnswerQuestion, answerQuestion } from './questions.ts'
import { sessionJobs } from './session-jobs.ts'
import type { Store } from './store.ts'
import { Tunnels, type DirectoryAccess } from './tunnel/tunnels.ts'
import { DialRequests, type DialDecision, type Dialling } from './reports/dial-requests.ts'
import { type DeviceCounters, Telemetry, InterfaceWatch } from './reports/telemetry.ts'

/* Agent of one device: wires connection, configuration, probes, tunnels and telemetry together. */

export interface AgentOptions {
  /** Origins of the service, in the order in which they are tried. */
  readonly servers: readonly string[]
  readonly serial: string
  readonly activationCode: ActivationCode
  readonly version: string
  /** Addresses and names at which other members dial it. Absent: none. */
  readonly endpoints?: readonly string[]
}

export type LinkProbe = Pick<Prober, 'port' | 'reports' | 'takeSums' | 'watch' | 'disconnect' | 'restart'>

export interface AgentPorts {
  readonly clock: Clock
  readonly random: () => number
  readonly machine: Machine
  readonly driver: Driver
  readonly store: Store
  readonly openSocket: OpenSocket
  readonly fetch: typeof fetch
  /** Shared by all agents of a process; null: this device neither probes nor answers. */
  readonly prober: LinkProbe | null
  /** Source of dials into this device; absent if nothing runs its services. */
  readonly dials?: DialSource
  /** Reads the counters of the links that it dials; absent if nothing runs its tunnels. */
  readonly linkCounters?: () => Promise<LinkCounters>
  /** Reads those of the interfaces that serve its points, by the network's number; absent likewise. */
  readonly trunkCounters?: () => Promise<TrunkCounters>
  /** Answers to questions about its routes; absent if nothing runs its tunnels. */
  readonly answers?: AnswerQuestion
  /** Counter of flows; absent if flows cannot be counted. */
  readonly flows?: FlowLog
  /** Access to directories; absent if the device carries no tunnels. */
  readonly directories?: DirectoryAccess
  /** Key of its tunnels; absent if the driver runs none. */
  readonly routerKey?: RouterKey
  readonly log: Log
}

interface PersistedState {
  readonly addresses: ServerAddresses
  readonly identity: DeviceIdentity
  readonly ticket: ReturnTicket
  readonly record: ConfigRecord
  readonly results: readonly CommandResult[]
  readonly dials: KeptDials
}

const BACKLOG_BYTES = 4_096

export class Agent {
  private readonly options: AgentOptions
  private readonly ports: AgentPorts
  private readonly addresses: ServerAddresses
  private readonly identity: DeviceIdentity
  private readonly ticket: ReturnTicket
  private readonly connection: HubConnection
  private readonly telemetry: Telemetry
  private readonly config: ConfigRunner
  private readonly commands: Commands
  private readonly links: LinkReporter
  private readonly dials: DialReporter
  private readonly dialRequests: DialRequests
  private readonly flows: FlowReporter | null
  private readonly tunnels: Tunnels | null
  private readonly interfaces: InterfaceWatch

  private constructor(options: AgentOptions, ports: AgentPorts, persisted: PersistedState) {
    this.options = options
    this.ports = ports
    this.addresses = persisted.addresses
    this.identity = persisted.identity
    this.ticket = persisted.ticket
    this.connection = this.makeConnection()
    this.telemetry = this.makeTelemetry()
    this.links = new LinkReporter({
      clock: ports.clock,
      read: () => ports.prober?.reports(options.serial) ?? [],
      send: (links) => this.send({ t: 'links', links: [...links] }),
    })
    this.dials = new DialReporter({ ...ports, send: (dials) => this.send({ t: 'dial', dials }) }, persisted.dials)
    this.dialRequests = new DialRequests({ ...ports, send: (frame) => this.send(frame) })
    const { flows } = ports
    this.flows = flows ? new FlowReporter({ ...ports, log: flows, send: (frame) => this.send(frame) }) : null
    this.tunnels = this.makeTunnels()
    this.interfaces = new InterfaceWatch({
      ...ports,
      send: (interfaces) => this.send({ t: 'interfaces', interfaces }),
    })
    const jobs =
      ports.prober &&
      sessionJobs({
        links: ports.prober,
        owner: options.serial,
        applied: () => this.applied,
        endDials: (...sessions) => ports.dials?.end(...sessions) ?? 0,
      })
    this.commands = new Commands(ports.store, { report: () => this.reportAll(), ...jobs }, persisted.results)
    this.config = new ConfigRunner(
      {
        ...ports,
        report: (outcome) => this.send({ t: 'config_result', ...outcome }),
        onProof: (done) => this.connection.onProof(done),
        changed: (applied) => this.watchLinks(applied),
      },
      persisted.record,
    )
  }

  /** Resolves once the last confirmed document runs and the connection is being made. */
  static async start(options: AgentOptions, ports: AgentPorts): Promise<Agent> {
    const { store } = ports
    const enrolled = async () => ports.routerKey?.renew()
    const addresses = await ServerAddresses.load(store, options.servers)
    const identity = await DeviceIdentity.load({ ...ports, ...options, server: () => addresses.current, enrolled })
    const [record, results] = [await readConfigRecord(store), await readCommandResults(store)]
    const ticket = await ReturnTicket.load(store)
    const persisted = { addresses, identity, ticket, record, results, dials: await readDials(store) }
    const agent = new Agent(options, ports, persisted)
    await agent.config.start()
    ports.dials?.start((...dials) => agent.dials.report(...dials))
    agent.connection.start()
    return agent
  }

  get isUp(): boolean {
    return this.connection.isUp
  }

  get applied(): SentDocument | null {
    return this.config.applied?.body ?? null
  }

  /** Asks the hub if a software member may dial this device. Never rejects. */
  authorizeDial(dialling: Dialling): Promise<DialDecision> {
    return this.dialRequests.ask(dialling)
  }

  async stop(): Promise<void> {
    this.ports.dials?.stop()
    this.flows?.stop()
    this.tunnels?.endAll()
    this.ports.prober?.watch(this.options.serial, [], () => {})
    this.connection.stop() // ends the reports, as each loss does
    await this.config.stop()
  }

  private makeConnection(): HubConnection {
    const { addresses, identity } = this
    const { clock, random, openSocket, log } = this.ports
    return new HubConnection({
      clock,
      openSocket,
      log,
      addresses,
      random,
      authorize: () => this.authorize(),
      explain: () => identity.explain(this.ticket.headers()),
      opened: () => this.sendHello(),
      frame: (frame) => this.onFrame(frame),
      lost: () => this.onLost(),
      removed: () => this.onRemoved(),
    })
  }

  /** Says whether this device runs a configuration: without a row its row is missing then, and it is no new device. */
  private async authorize(): Promise<Record<string, string>> {
    const headers = { ...(await this.identity.authorize()), ...this.ticket.headers() }
    return this.config.holdsDocument ? { ...headers, [DOCUMENT_HEADER]: '1' } : headers
  }

  private makeTunnels(): Tunnels | null {
    const { addresses, identity } = this
    const { clock, log, machine, directories } = this.ports
    if (!directories) return null
    return new Tunnels({
      ...directories,
      clock,
      log,
      url: () => socketUrl(addresses.current, 'tunnel'),
      authorize: () => identity.authorize(),
      lans: async () => (await machine.interfaces()).filter(({ role, ip }) => role === 'lan' && ip !== ''),
      serverNow: () => identity.serverNow(),
    })
  }

  private makeTelemetry(): Telemetry {
    const { clock, machine, log } = this.ports
    return new Telemetry({
      clock,
      read: (withTrunks) => this.readCounters(withTrunks),
      failed: (error) => log(`counters cannot be read: ${messageOfError(error)}`),
      isBackedUp: () => this.connection.backlogBytes() > BACKLOG_BYTES,
      send: (counters, at) =>
        this.send({ t: 'counters', boot_id: machine.bootId, at, applied: this.appliedVersion(), ...counters }),
    })
  }

  /** Links come last, because their ages are compared with the time of the frame. */
  private async readCounters(withTrunks: boolean): Promise<DeviceCounters> {
    const interfaces = await this.ports.machine.counters()
    const sums = this.ports.prober?.takeSums(this.options.serial)
    const counted = Object.entries((await this.ports.linkCounters?.()) ?? {})
    const links = Object.fromEntries(counted.map(([id, counter]) => [id, { ...counter, ...sums?.get(id) }]))
    const trunks = (withTrunks && (await this.ports.trunkCounters?.())) || {}
    return {
      interfaces,
      ...(counted.length > 0 && { links }),
      ...(Object.keys(trunks).length > 0 && { trunks }),
    }
  }

  private async sendHello(): Promise<void> {
    const { machine, driver, prober } = this.ports
    const { endpoints = [] } = this.options
    const interfaces = await this.interfaces.read()
    const csr = await this.readRequest()
    this.send({
      t: 'hello',
      protocol: PROTOCOL_VERSION,
      serial: this.options.serial,
      boot_id: machine.bootId,
      agent_version: this.options.version,
      model: machine.model,
      mac: macOf(interfaces),
      capabilities: [
        'report',
        ...(prober ? ['probe', ...JOB_CAPABILITIES] : []),
        ...(this.flows ? [FLOWS.capability] : []),
        ...(this.tunnels ? [TUNNEL.capability] : []),
        ...(this.ports.answers ? [QUESTION.capability] : []),
        ENDPOINTS.namesCapability,
        ...(driver.capabilities ?? []),
        `driver:${driver.name}`,
        ...driver.settings,
      ],
      applied: this.appliedVersion(),
      interfaces,
      probe_port: prober?.port ?? 0,
      ...(endpoints.length > 0 && { endpoints: [...endpoints] }),
      ...(csr !== undefined && { csr }),
    })
  }

  /** A device that cannot read its key stays connected: its tunnels run with the certificate that they have. */
  private async readRequest(): Promise<string | undefined> {
    const { driver, routerKey, log } = this.ports
    if (!driver.capabilities?.includes(VPN.capability)) return undefined
    return routerKey?.request().catch((error: unknown) => {
      log(`the key of the tunnels cannot be read: ${messageOfError(error)}`)
      return undefined
    })
  }

  private onWelcome(frame: Extract<HubFrame, { t: 'welcome' }>): void {
    const by = this.addresses.areSeveral ? `, by ${this.addresses.current}` : ''
    this.ports.log(`connected (epoch ${frame.epoch}${by})`)
    if (frame.least_protocol !== undefined && frame.least_protocol > PROTOCOL_VERSION)
      this.ports.log(
        `this agent is too old for the service (protocol ${PROTOCOL_VERSION}, which asks for ${frame.least_protocol}): upgrade it; until then its configuration stays as it is`,
      )
    this.logErrors(this.addresses.welcomed(frame.entries))
    this.identity.syncClock(frame.server_time)
    this.logErrors(this.identity.accepted())
    if (frame.ticket !== undefined) this.logErrors(this.ticket.renew(frame.ticket))
    void this.config.dispatch({ type: 'welcomed', desiredVersion: frame.desired?.version ?? 0 })
    this.links.reportAll()
    this.dials.connected()
    this.dialRequests.connected()
    this.flows?.connected()
    this.telemetry.connected()
    this.interfaces.start()
  }

  private onFrame(frame: HubFrame): void {
    switch (frame.t) {
      case 'welcome':
        return this.onWelcome(frame)
      case 'config': {
        const document: ConfigDocument = { version: frame.version, hash: frame.hash, body: frame.body }
        const intact = isIntact(frame.body, frame.hash)
        void this.config.dispatch({ type: 'offered', document, intact, confirmMs: frame.confirm_s * 1000 })
        return
      }
      case 'command':
        return this.logErrors(this.runCommand(frame).then((result) => this.send(result)))
      case 'client_auth_result':
        return this.dialRequests.answered(frame.id, frame)
      case 'dial_ack':
        return this.dials.acknowledged(frame.keys)
      case 'flows_ack':
        return this.flows?.acknowledged(frame.hours)
      case 'flows_ask':
        return this.flows?.asked()
      case 'stream':
        return this.telemetry.stream(frame)
      case 'tunnel':
        if (this.tunnels) this.logErrors(this.tunnels.start(frame))
    }
  }

  private runCommand(frame: Extract<HubFrame, { t: 'command' }>): Promise<CommandResult> {
    const { answers, log } = this.ports
    if (answers === undefined || !QUESTION_KINDS.some((kind) => kind === frame.kind))
      return this.commands.run(frame, this.identity.serverNow())
    return answerQuestion(frame, answers, (error) => log(`a question cannot be answered: ${messageOfError(error)}`))
  }

  private onLost(): void {
    this.interfaces.stop()
    this.dials.disconnected()
    this.dialRequests.disconnected()
    this.flows?.disconnected()
    this.links.stop()
    this.telemetry.disconnected()
    void this.config.dispatch({ type: 'lost' })
  }

  /** Stops probes and tunnels: the networks no longer belong to this device. */
  private onRemoved(): void {
    this.tunnels?.endAll()
    this.ports.log('removed: taking the configuration off this device')
    void this.config.dispatch({ type: 'removed' })
  }

  /** Answers `report`: sends everything now. */
  private async reportAll(): Promise<void> {
    await this.interfaces.sendNow()
    this.links.reportAll()
    await this.telemetry.sendNow()
  }

  private watchLinks(applied: ConfigDocument | null): void {
    this.ports.dials?.serve(applied?.body ?? null)
    this.flows?.serve(applied?.body ?? null)
    const ends = applied?.body.networks.flatMap((network) => network.links) ?? []
    this.ports.prober?.watch(this.options.serial, ends, (changed) => this.onLinksMoved(changed))
  }

  private onLinksMoved(changed: readonly LinkReport[]): void {
    for (const { id, up } of changed) this.ports.log(`link ${id} is ${up ? 'up' : 'down'}`)
    if (this.isUp) this.links.reportChanged(changed.map(({ id }) => id))
  }

  private appliedVersion(): { version: number; hash: string } | null {
    const { applied } = this.config
    return applied && { version: applied.version, hash: applied.hash }
  }

  private send(frame: AgentFrame): void {
    this.connection.send(JSON.stringify(frame))
  }

  /** Fire-and-forget: a failure is logged. */
  private logErrors(task: Promise<unknown>): void {
    task.catch((error: unknown) => this.ports.log(`unexpected: ${messageOfError(error)}`))
  }
}
