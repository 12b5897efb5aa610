import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { CLIENT_ERRORS } from '#contract/client/errors.ts'
import { type Log, messageOfError } from '#infra/agent/log.ts'
import { replaceFile } from '#infra/agent/store.ts'
import { clientFolder, managementSocket } from '#infra/agent/drivers/render/openvpn.ts'
import type { Folders } from '#infra/agent/drivers/render/target.ts'
import { type ProcessExit, type ProcessTable, hashOfText } from '../processes/process-table.ts'
import { Respawns } from '../processes/respawns.ts'
import { requireProgram, toLog } from '../programs.ts'
import type { Tool } from '../tool.ts'
import { type AuthorizeDial, decideAdmission, sessionIdOf } from './admission.ts'
import { isRestartDue } from './certificate-renewal.ts'
import { checkConfigs, checkKeys, checkPorts, refusalLines } from './check.ts'
import type { DialSessions } from './dial-sessions.ts'
import { type ClientNotification, ManagedTunnel, SUPERSEDED, type SessionChange } from './managed-tunnel.ts'
import type { ClientSession } from './management-lines.ts'
import { type OpenvpnObserved, type OpenvpnStep, planOpenvpn, settledOpenvpn } from './plan.ts'
import { revokedSerials } from './revoked-serials.ts'
import {
  ensureTokenKey,
  observeFiles,
  prepareShared,
  readText,
  removeClients,
  readEntryTime,
  writeClients,
  writeKeys,
  writeRevoked,
} from './tunnel-files.ts'
import { type OpenvpnWanted, type WantedProcess, takesClients, wantedKeys, wantedOpenvpn } from './wanted.ts'

/* Tool OpenVPN: a process for each server and for each tunnel that this device dials. */

export interface OpenvpnOptions {
  /** State folder, for root alone. */
  readonly state: string
  readonly folders: Folders
  /** Slot of the one network that it runs; absent: all processes of the device are its own. */
  readonly slot?: number
  readonly processes: ProcessTable
  readonly log: Log
  readonly authorizeDial: AuthorizeDial
  /** Sessions of software members that may be renewed. */
  readonly sessions: DialSessions
  /** A tunnel or session came or went. */
  changed(): void
  /** Sessions of software members at one server have changed. */
  sessionsChanged(server: SoftwareServer, change: SessionChange): void
  /** A process was started again after an exit: settings of its interface are gone. */
  restarted(): void
  /** A process has its connection, and the interface with it. */
  connected?(): void
}

/** Server that software members dial. */
export interface SoftwareServer {
  readonly device: string
  readonly network: string
}

/** Process that ended too often and stays down. */
export interface ExhaustedProcess {
  readonly textHash: string
  readonly lastLines: string
}

const START_MS = 15_000
const ADOPT_MS = 3_000
const STOP_MS = 3_000
/** Time in which the process sends what it was asked to. */
const ANNOUNCE_MS = 100
const REFUSED_RETRY_MS = 5_000
/** Refusal of the peer, which is no crash. */
const REFUSED = /AUTH_FAILED/

type ClientStep = Extract<OpenvpnStep, { readonly names: readonly string[] }>

export class OpenvpnTool implements Tool<OpenvpnWanted, OpenvpnObserved, OpenvpnStep> {
  readonly name = 'openvpn'
  readonly wanted = wantedOpenvpn
  readonly settled = settledOpenvpn
  readonly plan = planOpenvpn
  private readonly options: OpenvpnOptions
  private readonly respawns = new Respawns()
  private readonly tunnels = new Map<string, ManagedTunnel>()
  private readonly exhaustedByName = new Map<string, ExhaustedProcess>()
  /** Hashes of the texts of processes that a timer starts again. */
  private readonly respawning = new Map<string, string>()
  private readonly exits = new Map<string, ProcessExit>()
  private readonly starting = new Set<string>()
  /** Part that is kept running. */
  private current: OpenvpnWanted = wantedOpenvpn(null)
  private tail: Promise<unknown> = Promise.resolve()
  private isClosed = false

  constructor(options: OpenvpnOptions) {
    this.options = options
    options.processes.onExit((name, exit) => this.onExit(name, exit))
  }

  async validate(wanted: OpenvpnWanted) {
    const { processes, state } = this.options
    return (
      (await checkPorts(wanted, processes, this.current)) ??
      (await checkKeys(wanted)) ??
      (await checkConfigs(wanted, processes, state))
    )
  }

  async observe(): Promise<OpenvpnObserved> {
    const { processes, folders, slot } = this.options
    const running = [...processes.running().values()].filter(({ name }) => isTunnel(name, slot))
    return {
      ...(await observeFiles(folders)),
      processes: Object.fromEntries(running.map(({ name, textHash }) => [name, textHash])),
      networks: await this.readNetworks(running.map(({ name }) => name)),
      paused: Object.fromEntries(this.paused()),
      expiring: await this.findExpiring(running.map(({ name }) => name)),
    }
  }

  run(step: OpenvpnStep, wanted: OpenvpnWanted): Promise<void> {
    return this.inTurn(() => this.runStep(step, wanted))
  }

  supervise(wanted: OpenvpnWanted): void {
    const before = this.current.waiting
    this.current = wanted
    for (const number of wanted.waiting)
      if (!before.includes(number)) this.options.log(`network ${number}: no certificate yet, its tunnels wait`)
    for (const name of this.exhaustedByName.keys()) if (!(name in wanted.processes)) this.exhaustedByName.delete(name)
    for (const name of this.options.processes.running().keys()) {
      const want = wanted.processes[name]
      if (want && !this.tunnels.has(name))
        void this.manage(name, want)
          .open(ADOPT_MS)
          .catch(() => {}) // it goes on trying
    }
  }

  /** State of a process by the name of its interface; null if it does not run or does not answer. */
  tunnel(device: string): Pick<ManagedTunnel, 'isUp' | 'remote' | 'clients' | 'peer' | 'hasRevoked'> | null {
    return this.tunnels.get(device) ?? null
  }

  /** Processes that stay down (`respawn_limit`), by name. */
  exhausted(): ReadonlyMap<string, ExhaustedProcess> {
    return this.exhaustedByName
  }

  /** Networks whose tunnels wait for a certificate. */
  waiting(): readonly string[] {
    return this.current.waiting
  }

  /** Starts the processes of a network that ended too often. */
  async reset(network: string): Promise<void> {
    for (const [device, { network: of }] of Object.entries(this.current.processes)) {
      if (of !== network) continue
      this.respawns.reset(device)
      if (this.exhaustedByName.delete(device)) await this.inTurn(() => this.restart(device))
    }
  }

  /** Ends the sessions of a client in a network, which connects again; true if there were any. */
  disconnect(network: string, name: string): Promise<boolean> {
    return this.disconnectFrom((each) => each.network === network, name, 'RESTART')
  }

  /**
   * The same for a software member. A halted session is not renewed: its person dials again.
   * @param profile ends only a session with this profile; null for any.
   */
  async endDials(network: string, name: string, isHalted: boolean, profile: number | null): Promise<boolean> {
    const { sessions } = this.options
    const last = sessions.last(network, name)
    if (isHalted) sessions.forget(network, name, profile)
    if (profile !== null && last !== null && last.profile !== profile) return false
    const isServer = (each: WantedProcess) => each.network === network && each.role === 'software-server'
    const reason = profile === null ? SUPERSEDED : CLIENT_ERRORS.DIAL_PROFILE_OVER.msg
    return isHalted
      ? this.disconnectFrom(isServer, name, 'HALT', reason)
      : this.disconnectFrom(isServer, name, 'RESTART')
  }

  /** Reads the byte counts of all software members anew. */
  async refreshSessions(): Promise<void> {
    const servers = Object.entries(this.current.processes).filter(([, { role }]) => role === 'software-server')
    await Promise.allSettled(servers.map(([device]) => this.tunnels.get(device)?.refresh()))
  }

  private async disconnectFrom(
    isMeant: (process: WantedProcess) => boolean,
    name: string,
    how: 'HALT' | 'RESTART',
    reason = '',
  ): Promise<boolean> {
    const own = Object.entries(this.current.processes).filter(([, each]) => isMeant(each))
    const counts = await Promise.all(
      own.map(([device, { peer }]) => {
        const tunnel = this.tunnels.get(device)
        return peer === name ? tunnel?.reconnect() : tunnel?.disconnect((each) => each.name === name, how, reason)
      }),
    )
    return counts.some((count) => count !== undefined && count > 0)
  }

  /** Leaves everything running. */
  close(): void {
    this.isClosed = true
    for (const tunnel of this.tunnels.values()) tunnel.close()
    this.tunnels.clear()
  }

  private inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.tail.then(work, work)
    this.tail = done.catch(() => {}) // the caller gets it
    return done
  }

  private async runStep(step: OpenvpnStep, wanted: OpenvpnWanted): Promise<void> {
    const { folders } = this.options
    switch (step.action) {
      case 'stop':
        for (const device of step.devices) if (!(device in wanted.processes)) this.respawns.reset(device)
        await Promise.all(step.devices.map((device) => this.stop(device, wanted.processes[device])))
        return
      case 'keys':
        return writeKeys(folders, step.number, wantedKeys(wanted, step.number))
      case 'revoked':
        return this.writeRevoked(step.number, wanted)
      case 'addClients':
        return this.writeClients(step, wanted)
      case 'moveClients':
        await this.writeClients(step, wanted)
        return this.endMoved(step, wanted)
      case 'start':
        return this.startPlanned(step.device, wanted)
    }
  }

  /** Hashes of the texts of processes that ended and are not started now, by name. */
  private paused(): ReadonlyMap<string, string> {
    const exhausted = [...this.exhaustedByName].map(([name, { textHash }]) => [name, textHash] as const)
    return new Map([...this.respawning, ...exhausted])
  }

  /** Starts a process, unless a restart has started or paused it since the plan. */
  private async startPlanned(device: string, wanted: OpenvpnWanted): Promise<void> {
    const textHash = hashOfText(wanted.processes[device]?.text ?? '')
    const running = this.options.processes.running().get(device)
    if (running?.textHash === textHash || this.paused().get(device) === textHash) return
    this.exhaustedByName.delete(device)
    this.respawning.delete(device)
    await this.start(device, wanted)
  }

  /** @param successor the process that follows under the same name. */
  private async stop(device: string, successor?: WantedProcess): Promise<void> {
    if (successor !== undefined) await this.announceRestart(device)
    this.tunnels.get(device)?.close()
    this.tunnels.delete(device)
    await this.options.processes.stop(device, STOP_MS)
    this.endSessions(device)
    const { state, folders } = this.options
    if (successor === undefined || !takesClients(successor)) await removeClients(folders, device)
    if (successor !== undefined) return
    for (const path of [
      configFile(state, device),
      certificateFile(state, device),
      managementSocket(folders, device),
      logFile(folders, device),
    ])
      await rm(path, { force: true })
  }

  /** Tells clients to connect again, which else notice after six seconds that the server is another one. */
  private async announceRestart(device: string): Promise<void> {
    const count = (await this.tunnels.get(device)?.disconnect(() => true, 'RESTART')) ?? 0
    if (count > 0) await new Promise((resolve) => setTimeout(resolve, ANNOUNCE_MS))
  }

  /**
   * Disconnects whom the list names. Clients that connected before this agent come back at once if they may, as does the other
   * end of a link that both dial: its serial number is not known.
   */
  private async writeRevoked(number: string, wanted: OpenvpnWanted): Promise<void> {
    const list = wantedKeys(wanted, number)?.revoked ?? null
    await writeRevoked(this.options.folders, number, list)
    if (list === null) return
    const serials = revokedSerials(list)
    const servers = Object.entries(wanted.processes).filter(
      ([, each]) => each.network === number && each.role === 'router-server',
    )
    const peers = Object.entries(wanted.processes).filter(([, each]) => each.network === number && each.role === 'peer')
    if (serials.size === 0) return
    for (const [device] of peers) await this.tunnels.get(device)?.reconnect()
    for (const [device] of servers)
      await this.tunnels.get(device)?.disconnect(({ serial }) => serial === null || serials.has(serial), 'RESTART')
  }

  private async writeClients({ device, names }: ClientStep, wanted: OpenvpnWanted): Promise<void> {
    const want = wanted.processes[device]
    if (want) await writeClients(this.options.folders, device, names, want.clients)
  }

  private async endMoved({ device, names }: ClientStep, wanted: OpenvpnWanted): Promise<void> {
    const want = wanted.processes[device]
    const isMeant = ({ name }: ClientSession) => names.includes(name)
    const tunnel = this.tunnels.get(device)
    if (want?.role !== 'software-server') return void (await tunnel?.disconnect(isMeant, 'RESTART'))
    // also a dial that was let in and does not stand yet
    for (const name of names) this.options.sessions.forget(want.network, name, null)
    await tunnel?.disconnect(isMeant, 'HALT', CLIENT_ERRORS.DIAL_TOKEN_REVOKED.msg)
  }

  private async start(device: string, wanted: OpenvpnWanted): Promise<void> {
    const want = wanted.processes[device]
    if (!want) return
    const { state, folders, processes } = this.options
    const config = configFile(state, device)
    await prepareShared(folders)
    await mkdir(join(state, 'openvpn'), { recursive: true, mode: 0o700 })
    if (takesClients(want)) await mkdir(clientFolder(folders, device), { recursive: true, mode: 0o711 })
    if (want.role === 'software-server') await ensureTokenKey(folders, want.network)
    await replaceFile(config, want.config)
    await replaceFile(certificateFile(state, device), wantedKeys(wanted, want.network)?.certificate ?? '')
    const argv = [await requireProgram('openvpn'), '--config', config]
    this.exits.delete(device)
    this.starting.add(device)
    try {
      await processes.start({ name: device, argv, cwd: state, text: want.text, log: logFile(folders, device) })
      await this.manage(device, want).open(START_MS)
    } catch (error) {
      await this.stop(device, want)
      const lines = refusalLines(this.exits.get(device)?.lastLines ?? '') || messageOfError(error)
      throw new Error(toLog(`${device}: ${lines}`), { cause: error })
    } finally {
      this.starting.delete(device)
    }
  }

  private manage(device: string, want: WantedProcess): ManagedTunnel {
    const { processes, folders, log, changed, authorizeDial, sessions } = this.options
    this.tunnels.get(device)?.close()
    const tunnel = new ManagedTunnel({
      device,
      socketPath: managementSocket(folders, device),
      isServer: takesClients(want),
      isPeer: want.role === 'peer',
      log,
      isRunning: () => processes.running().has(device),
      changed,
      connected: () => this.options.connected?.(),
      sessionsChanged: (change) => this.onSessions(device, want, change),
      isAdmitted: ({ env }: ClientNotification) =>
        want.role !== 'software-server' || sessionIdOf(env) === '' || sessions.find(sessionIdOf(env)) !== null,
      admit: (client) =>
        decideAdmission(client, this.current.processes[device] ?? want, {
          authorizeDial,
          sessions,
          entryTime: (name) => readEntryTime(folders, device, name),
        }),
    })
    this.tunnels.set(device, tunnel)
    return tunnel
  }

  private onSessions(device: string, { role, network }: WantedProcess, change: SessionChange): void {
    if (role === 'software-server') this.options.sessionsChanged({ device, network }, change)
  }

  /** The sessions of a process that has ended. */
  private endSessions(device: string): void {
    const want = this.current.processes[device]
    if (want) this.onSessions(device, want, { type: 'listed', sessions: [] })
  }

  private onExit(name: string, exit: ProcessExit): void {
    this.exits.set(name, exit)
    if (this.starting.has(name) || !(name in this.current.processes) || this.isClosed) return
    this.tunnels.get(name)?.close()
    this.tunnels.delete(name)
    this.endSessions(name)
    this.options.changed()
    this.respawn(name, exit.lastLines)
  }

  private respawn(name: string, lastLines: string): void {
    const { log } = this.options
    const want = this.current.processes[name]
    if (!want) return
    const delayMs = REFUSED.test(lastLines) ? REFUSED_RETRY_MS : this.respawns.next(name, performance.now())
    if (delayMs === null) {
      this.exhaustedByName.set(name, { textHash: hashOfText(want.text), lastLines })
      log(`${name} ended too often and stays down (respawn_limit): ${lastLines.split('\n').at(-1)}`)
      return this.options.changed()
    }
    log(`${name} ended and starts again in ${delayMs / 1_000} s`)
    this.respawning.set(name, hashOfText(want.text))
    setTimeout(() => void this.inTurn(() => this.restart(name)), delayMs).unref()
  }

  /** Starts a process that should run; a failure counts as another exit. */
  private async restart(name: string): Promise<void> {
    this.respawning.delete(name)
    if (this.isClosed || !(name in this.current.processes) || this.options.processes.running().has(name)) return
    try {
      await this.start(name, this.current)
      this.options.restarted()
    } catch (error) {
      this.respawn(name, messageOfError(error))
    }
  }

  private async readNetworks(names: readonly string[]): Promise<Record<string, string>> {
    const numbers = await Promise.all(
      names.map(
        async (name) => [name, networkOf((await readText(configFile(this.options.state, name))) ?? '')] as const,
      ),
    )
    return Object.fromEntries(numbers.filter(([, number]) => number !== ''))
  }

  /** A running process that restarts for the renewed certificate on the disk. */
  private async findExpiring(names: readonly string[]): Promise<string | null> {
    for (const name of names.toSorted()) {
      const running = await readText(certificateFile(this.options.state, name))
      const wanted = this.current.processes[name]
      const renewed = wanted && wantedKeys(this.current, wanted.network)?.certificate
      if (running === null || wanted === undefined || renewed === undefined) continue
      if (isRestartDue(wanted.role, running, renewed, Date.now())) return name
    }
    return null
  }
}

/** Network of a written configuration, by the folder of its keys. */
const networkOf = (config: string): string => /^ca .*\/([\w-]+)\/ca\.pem$/m.exec(config)?.[1] ?? ''

function isTunnel(name: string, slot: number | undefined): boolean {
  const [, own] = /^ov(\d+)[rscx]\d*$/.exec(name) ?? []
  return own !== undefined && (slot === undefined || own === String(slot))
}
const configFile = (state: string, device: string): string => join(state, 'openvpn', `${device}.conf`)
const certificateFile = (state: string, device: string): string => join(state, 'openvpn', `${device}.pem`)
const logFile = ({ shared }: Folders, device: string): string => join(shared, `${device}.log`)
