import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { constants } from 'node:fs'
import { access, writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { z } from 'zod'
import { FLOWS } from '#contract/kernel/hub-limits.ts'
import { ipNumber } from '#contract/kernel/ipv4.ts'
import { parseRange, toNetwork } from '#domain/network/addresses/segments.ts'
import type { SentDocument } from '#contract/device/document.ts'
import { flowSlot } from '#contract/device/flows.ts'
import type { Clock } from '../clock.ts'
import { type Log, messageOfError } from '../log.ts'
import type { Machine } from '../machine/machine.ts'
import type { Store } from '../store.ts'
import { parseConntrack } from './conntrack-line.ts'
import { FlowCounter } from './flow-counter.ts'
import { type FlowLog, type HourFlows, isSaas } from './flow-reporter.ts'
import { portName } from './services.ts'
import { HOUR_MS } from '#contract/kernel/time.ts'

/* Flows from the kernel's connection tracking: a dump every 30 s, and each connection once more when it ends. */

const run = promisify(execFile)
const RECORD = 'flows'
const EVENTS_BUFFER_BYTES = String(8 * 1024 * 1024)
const DUMP_MAX_BYTES = 256 * 1024 * 1024
const ACCOUNTING = '/proc/sys/net/netfilter/nf_conntrack_acct'

interface ConntrackDeps {
  readonly clock: Clock
  readonly store: Store
  readonly machine: Pick<Machine, 'bootId' | 'interfaces'>
  readonly log: Log
  /** Command that runs `conntrack`, here or elsewhere. */
  readonly command: readonly [program: string, ...before: string[]]
  /** Switches the byte counters of the kernel on, which are off by default. */
  countBytes?(log: Log): Promise<void>
  /** Application by the host name of the address; null if none is known. */
  serviceAt(address: string): string | null
}

/** Slots and counts are written together: a byte is in both or in neither. */
const record = z.object({
  bootId: z.string(), // on the next boot ids and counts start again
  slots: z.array(z.tuple([z.int(), flowSlot])),
  seen: z.array(z.string().regex(/^\d+ \d+ \d+$/)),
})

async function countBytes(log: Log): Promise<void> {
  await writeFile(ACCOUNTING, '1')
  log('flows: this machine counts the bytes of connections from now on (nf_conntrack_acct)')
}

/** Flow log by conntrack; null if this device cannot count flows, for lack of root rights or of conntrack. */
export async function openConntrack(deps: Omit<ConntrackDeps, 'command' | 'countBytes'>): Promise<FlowLog | null> {
  if (process.getuid?.() !== 0) return null
  try {
    await run('conntrack', ['--version'])
    await access(ACCOUNTING, constants.W_OK)
    return await ConntrackFlows.open({ ...deps, command: ['conntrack'], countBytes })
  } catch (error) {
    deps.log(`flows are not counted: ${messageOfError(error)}`)
    return null
  }
}

export class ConntrackFlows implements FlowLog {
  private readonly deps: ConntrackDeps
  private readonly counter: FlowCounter
  private lans: readonly { readonly first: number; readonly last: number }[] = []
  private events: ChildProcess | null = null
  private isOn = false
  private savedSlot = 0
  private cancel: () => void = () => {}

  private constructor(deps: ConntrackDeps, stored: unknown) {
    this.deps = deps
    const rules = {
      isLocal: (address: string) => this.isLocal(address),
      appOf: (far: string, protocol: string, port: number) => deps.serviceAt(far) ?? portName(protocol, port),
    }
    const kept = record.safeParse(stored).data
    const isSameBoot = kept?.bootId === deps.machine.bootId
    this.counter = new FlowCounter(rules, kept?.slots, isSameBoot ? kept.seen : [])
  }

  static async open(deps: ConntrackDeps): Promise<ConntrackFlows> {
    return new ConntrackFlows(deps, await deps.store.load(RECORD))
  }

  pending(): readonly number[] {
    return this.counter.hours().filter((hour) => hour < this.currentHour())
  }

  read(hour: number): HourFlows {
    return { report: this.deps.clock.now(), slots: this.counter.hour(hour) }
  }

  acknowledged(hour: number): void {
    this.counter.forget(hour)
  }

  serve(document: SentDocument | null): void {
    if (isSaas(document) === this.isOn) return
    this.isOn = !this.isOn
    if (this.isOn) void this.start()
    else this.halt()
  }

  private async start(): Promise<void> {
    const { countBytes: switchOn, log } = this.deps
    await switchOn?.(log).catch((error: unknown) => log(`flows: ${messageOfError(error)}`))
    if (this.isOn) this.tick()
  }

  stop(): void {
    this.halt()
    if (this.isOn) this.write()
  }

  async dump(): Promise<void> {
    const { clock, machine, command } = this.deps
    const ports = (await machine.interfaces()).filter(({ role, ip }) => role === 'lan' && ip !== '')
    this.lans = ports.flatMap(({ ip, mask }) => parseRange(toNetwork(`${ip}/${mask}`)) ?? [])
    this.counter.startDump()
    const [program, ...before] = command
    const { stdout } = await run(program, [...before, '-L', '-o', 'id'], { maxBuffer: DUMP_MAX_BYTES })
    const now = clock.now()
    this.counter.watch(now)
    const ids = new Set<string>()
    for (const flow of stdout.split('\n').map(parseConntrack)) {
      if (!flow) continue
      ids.add(flow.id)
      this.counter.add(flow, now)
    }
    this.counter.endDump(ids)
    for (const hour of this.counter.hours()) if (hour < this.currentHour() - FLOWS.keptHours) this.counter.forget(hour)
    this.save(now)
  }

  private currentHour(): number {
    return Math.floor(this.deps.clock.now() / HOUR_MS)
  }

  private isLocal(address: string): boolean {
    const value = ipNumber(address)
    return value !== null && this.lans.some(({ first, last }) => value >= first && value <= last)
  }

  /**
   * Saves every five minutes. A crash loses the later bytes of ended connections; others are counted on from the record.
   */
  private save(now: number): void {
    const slot = Math.floor(now / FLOWS.slotMs)
    if (slot === this.savedSlot) return
    this.savedSlot = slot
    this.write()
  }

  private write(): void {
    const { bootId } = this.deps.machine
    const kept = { bootId, slots: this.counter.all(), seen: this.counter.lasting() }
    void this.deps.store.save(RECORD, kept).catch(() => {})
  }

  private follow(): void {
    const { clock, command, log } = this.deps
    const [program, ...before] = command
    const child = spawn(program, [...before, '-E', '-e', 'DESTROY', '-o', 'id', '-b', EVENTS_BUFFER_BYTES], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    this.events = child
    createInterface({ input: child.stdout }).on('line', (line) => {
      const flow = parseConntrack(line)
      if (flow) this.counter.add(flow, clock.now())
    })
    child.on('error', (error) => log(`conntrack: ${messageOfError(error)}`))
    child.on('exit', () => {
      if (this.events === child) this.events = null
    })
  }

  private tick(): void {
    if (this.events === null) this.follow()
    void this.dump().catch((error: unknown) => this.deps.log(`conntrack: ${messageOfError(error)}`))
    this.cancel = this.deps.clock.after(FLOWS.dumpMs, () => this.tick())
  }

  private halt(): void {
    this.cancel()
    const child = this.events
    this.events = null
    child?.kill()
  }
}
