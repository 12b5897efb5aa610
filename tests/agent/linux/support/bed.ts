import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import type { CLIENT_ERRORS } from '#contract/client/errors.ts'
import type { LinkCounters } from '#contract/device/counters.ts'
import type { DocumentLink, RouterDocument } from '#contract/device/document.ts'
import type { DeviceQuestion } from '#contract/device/questions.ts'
import type { LinkReport } from '#contract/kernel/protocol.ts'
import type { Refusal } from '#infra/agent/drivers/driver.ts'
import type { Place } from '#infra/agent/drivers/linux/place.ts'
import type { Dial } from '#infra/agent/reports/dial-reporter.ts'
import type { Dialling } from '#infra/agent/reports/dial-requests.ts'
import { readStartTime } from '#infra/agent/drivers/linux/processes/proc.ts'

/* Devices in network namespaces of their own, each with the driver in a process. Nothing touches the machine's own network. */

/** Key of a refusal in the catalogue. */
export type DialCause = keyof typeof CLIENT_ERRORS

const PREFIX = `nlx-driver-${process.pid}`

export class Device {
  readonly state: string
  readonly run: string
  readonly namespace: string
  private child: ChildProcess | null = null
  private lines: AsyncIterator<string> | null = null
  private reader: Interface | null = null
  readonly log: string[] = []
  serial = ''
  private readonly kind: 'router' | 'node'

  constructor(name: string, kind: 'router' | 'node' = 'router') {
    this.kind = kind
    this.namespace = `${PREFIX}-${name}`
    this.state = mkdtempSync(join(tmpdir(), `nlx-${name}-`))
    this.run = mkdtempSync(join(tmpdir(), `nlr-${name}-`))
    chmodSync(this.run, 0o711)
    ip('netns', 'add', this.namespace)
    ip('-n', this.namespace, 'link', 'set', 'lo', 'up')
  }

  /** Starts the process of the driver, by another program if one is given; an earlier one has to be gone. */
  start(...prefix: string[]): void {
    const program = [process.execPath, join(import.meta.dirname, 'device-process.ts')]
    const command = [...prefix, ...program, this.state, this.run, this.kind]
    this.child = spawn('ip', ['netns', 'exec', this.namespace, ...command], { stdio: 'pipe' })
    this.child.stderr?.on('data', (data: Buffer) => this.log.push(data.toString()))
    this.reader = createInterface({ input: this.child.stdout! })
    this.lines = this.reader[Symbol.asyncIterator]()
  }

  /** Ends the process of the driver at once, as a crash does. */
  async kill(): Promise<void> {
    const { child } = this
    if (!child) return
    this.child = null
    const ended = once(child, 'exit')
    child.kill('SIGKILL') // `ip netns exec` has become the driver
    await ended
    this.reader?.close()
  }

  private async ask(name: string, argument: unknown = null): Promise<unknown> {
    this.child?.stdin?.write(`${JSON.stringify([name, argument])}\n`)
    const { value } = (await this.lines?.next()) ?? {}
    if (value === undefined) throw new Error(`the driver ended: ${this.log.join('')}`)
    const answer = JSON.parse(value) as { value: unknown; error?: string }
    if (answer.error !== undefined) throw new Error(answer.error)
    return answer.value
  }

  apply = (document: RouterDocument | null) => this.ask('apply', document) as Promise<string[]>
  /** Applies a document, and answers the networks that a node has refused. */
  refusals = (document: RouterDocument) => this.ask('refusals', document) as Promise<readonly Refusal[]>
  question = (question: DeviceQuestion) => this.ask('ask', question)
  watch = (ends: readonly DocumentLink[]) => this.ask('watch', ends)
  reports = () => this.ask('reports') as Promise<readonly LinkReport[]>
  place = (number: string) => this.ask('place', number) as Promise<Place | null>
  validate = (document: RouterDocument) =>
    this.ask('validate', document) as Promise<{ reason: string; log?: string } | null>
  tunnel = (name: string) => this.ask('tunnel', name) as Promise<{ isUp: boolean; clients: string[] } | null>
  /** True where the server has refused the client by its revocation list. */
  hasRevoked = (name: string, client: string) => this.ask('hasRevoked', [name, client]) as Promise<boolean>
  peer = (name: string) => this.ask('peer', name) as Promise<{ remote: string; cipher: string } | null>
  linkCounters = () => this.ask('linkCounters') as Promise<LinkCounters>
  exhausted = () => this.ask('exhausted') as Promise<Record<string, { lastLines: string }>>
  reset = (network: string) => this.ask('reset', network)
  /** Refuses dials with these secrets (`renewed`: a session that is renewed), by cause, and no others any more. */
  refuse = (causes: Readonly<Record<string, DialCause>>) => this.ask('refuse', causes)
  asked = () => this.ask('asked') as Promise<Dialling[]>
  dials = () => this.ask('dials') as Promise<Dial[]>
  refreshDials = () => this.ask('refreshDials')
  /** Allows dials with these secrets as those of profiles. */
  admitAs = (profiles: Readonly<Record<string, number>>) => this.ask('admitAs', profiles)
  endDial = (network: string, name: string, isHalted: boolean, profile: number | null = null) =>
    this.ask('endDial', [network, name, isHalted, profile])
  disconnect = (network: string, name: string) => this.ask('disconnect', [network, name])

  /** Process numbers of tunnels by name, from the driver's record. */
  pids(): Record<string, number> {
    return Object.fromEntries(Object.entries(this.allPids()).filter(([name]) => name.startsWith('ov')))
  }

  /** The same of all its processes. */
  allPids(): Record<string, number> {
    const file = join(this.state, 'processes.json')
    if (!existsSync(file)) return {}
    const { processes } = JSON.parse(readFileSync(file, 'utf8')) as { processes: { name: string; pid: number }[] }
    return Object.fromEntries(processes.map(({ name, pid }) => [name, pid]))
  }

  /** True if the address answers one ping within a second. */
  reaches(address: string): boolean {
    try {
      execFileSync('ip', ['netns', 'exec', this.namespace, 'ping', '-n', '-c1', '-W1', address], { stdio: 'pipe' })
      return true
    } catch {
      return false
    }
  }

  /** Output of the driver, and the last lines of its processes. */
  logs(): string {
    const names = readdirSync(this.run, { recursive: true, encoding: 'utf8' })
    const texts = names
      .filter((name) => name.endsWith('.log'))
      .map((name) => `${name}:\n${readFileSync(join(this.run, name), 'utf8').slice(-3_000)}`)
    return [`--- ${this.namespace}`, this.log.join(''), ...texts].join('\n')
  }

  exec = (...command: string[]): string =>
    execFileSync('ip', ['netns', 'exec', this.namespace, ...command], { encoding: 'utf8', stdio: 'pipe' })

  async remove(): Promise<void> {
    await this.kill()
    const listed = ip('netns', 'pids', this.namespace).split('\n').filter(Boolean).map(Number)
    // those of a node's networks are in namespaces of their own
    for (const pid of new Set([...listed, ...(this.kind === 'node' ? Object.values(this.allPids()) : [])])) {
      endNow(pid)
      while ((await readStartTime(pid)) !== null) await new Promise((resolve) => setTimeout(resolve, 10))
    }
    ip('netns', 'del', this.namespace)
    for (const folder of [this.state, this.run]) rmSync(folder, { recursive: true, force: true })
  }
}

function endNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // it has ended
  }
}

/** Joins two devices by a cable with an address at either end. */
export function connectDevices(a: Device, addressA: string, b: Device, addressB: string, nameA = 'wan0'): void {
  ip('-n', a.namespace, 'link', 'add', nameA, 'type', 'veth', 'peer', 'name', 'wan0', 'netns', b.namespace)
  for (const [{ namespace }, name, address] of [
    [a, nameA, addressA],
    [b, 'wan0', addressB],
  ] as const) {
    ip('-n', namespace, 'addr', 'add', address, 'dev', name)
    ip('-n', namespace, 'link', 'set', name, 'up')
  }
}

const ip = (...args: string[]): string => execFileSync('ip', args, { encoding: 'utf8', stdio: 'pipe' })
