import * as z from 'zod'
import { type RouterDocument, routerDocument } from '#contract/device/document.ts'
import { POP_NODE, VPN } from '#contract/device/limits.ts'
import { canonicalJson } from '#domain/network/compile/compile.ts'
import type { DeviceSettingKey } from '#domain/network/compile/device-settings.ts'
import { type Failure, checkFailure } from '#infra/agent/config/config-machine.ts'
import { type Log, messageOfError } from '#infra/agent/log.ts'
import type { Store } from '#infra/agent/store.ts'
import type { Driver, Refusal } from '#infra/agent/drivers/driver.ts'
import { checkTunnels } from '#infra/agent/drivers/render/check-tunnels.ts'
import { writeSlots } from '#infra/agent/drivers/render/slots.ts'
import type { Target } from '#infra/agent/drivers/render/target.ts'
import type { LinuxDriver } from '../linux-driver.ts'

/* Driver of a POP node: each network is applied by itself, in a namespace of its own. One that is refused keeps what it ran. */

/** One network of a node, under its number. */
export interface NodeNetwork {
  readonly driver: Pick<LinuxDriver, 'validate' | 'stage' | 'running'>
  /** Store of the network alone. */
  readonly store: Store
  /** Empties its folders. */
  clear(): Promise<void>
}

export interface PopDriverPorts {
  readonly store: Store
  readonly log: Log
  readonly settings: readonly DeviceSettingKey[]
  readonly target: Target
  /** The network under a number, the same each time. */
  open(slot: number): Promise<NodeNetwork>
  /** Sets or removes what keeps tunnels off the namespace of the device. */
  guard(isOn: boolean): Promise<void>
}

/** Networks with their numbers, stored before anything runs under these. */
export const NODE_NETWORKS = 'networks'
const stored = z.array(z.object({ network_number: z.string(), slot: z.int().positive() }))
/** Part of the document that a network ran last. */
const PART = 'part'
const REASON_MAX = 200

/** Part of a document that concerns one network. */
interface Part {
  readonly number: string
  readonly document: RouterDocument
  readonly text: string
}

export class PopDriver implements Driver {
  readonly name = 'linux'
  readonly settings: readonly DeviceSettingKey[]
  readonly capabilities = [VPN.capability, POP_NODE.capability]
  private readonly ports: PopDriverPorts
  /** Texts of the parts that run, by network. */
  private readonly running = new Map<string, string>()
  private slots: Map<string, number> | null = null
  private tail: Promise<unknown> = Promise.resolve()

  constructor(ports: PopDriverPorts) {
    this.ports = ports
    this.settings = ports.settings
  }

  /** Refuses a document whose networks cannot stand beside each other; a network is checked by itself at its apply. */
  async validate(document: RouterDocument): Promise<Failure | null> {
    const { target } = this.ports
    const other = document.networks.find(({ isolated }) => !isolated)
    if (other) return checkFailure(`设备作为POP节点运行，不能承载组网${other.network_number}`)
    const sound = toParts(document).filter((part) => checkTunnels(part.document, target) === null)
    return checkTunnels({ ...document, networks: sound.flatMap((part) => part.document.networks) }, target)
  }

  /** Networks that have not changed are left alone, unless none has: then all are repaired. */
  async stage(document: RouterDocument | null) {
    const slots = await this.readSlots()
    const parts = document === null ? [] : toParts(document)
    const numbers = new Set(parts.map(({ number }) => number))
    const leaving = [...slots.keys()].filter((number) => !numbers.has(number))
    const differing = parts.filter(({ number, text }) => this.running.get(number) !== text)
    const changed = [...leaving, ...differing.map(({ number }) => number)].toSorted()
    return {
      changed,
      apply: () => this.inTurn(() => this.apply(document, leaving, changed.length > 0 ? differing : parts)),
    }
  }

  private async apply(document: RouterDocument | null, leaving: readonly string[], parts: readonly Part[]) {
    await this.ports.guard(true)
    for (const number of leaving) await this.leave(number, document === null)
    const refused: Refusal[] = []
    for (const part of parts) {
      const reason = await this.applyPart(part)
      if (reason !== null) refused.push({ network_number: part.number, reason: reason.slice(0, REASON_MAX) })
    }
    if (document === null) await this.ports.guard(false)
    return { refused }
  }

  /** Takes a network off. One that does not go is tried again with the next document. */
  private async leave(number: string, isRequired: boolean): Promise<void> {
    try {
      const network = await this.open(number)
      await (await network.driver.stage(null)).apply()
      await network.clear()
      this.running.delete(number)
      await this.saveSlots((slots) => slots.delete(number))
    } catch (error) {
      if (isRequired) throw error
      this.ports.log(`network ${number} cannot be taken off: ${messageOfError(error)}`)
    }
  }

  /** Reason for which the network was refused, or null. */
  private async applyPart({ number, document, text }: Part): Promise<string | null> {
    try {
      const network = await this.open(number)
      const isFirst = network.driver.running === null
      if (isFirst) await this.restore(network, number)
      const isKnown = this.running.get(number) === text
      if (isFirst && isKnown) return null
      const reason = isKnown ? await this.put(network, number, document) : await this.tryPart(network, number, document)
      if (reason !== null || isKnown) return reason
      this.running.set(number, text)
      await network.store.save(PART, document)
      return null
    } catch (error) {
      this.ports.log(`network ${number}: ${messageOfError(error)}`)
      return FAILED
    }
  }

  /** Puts the part back that an agent of before has put on last: its processes run still, or the machine has started anew. */
  private async restore({ driver, store }: NodeNetwork, number: string): Promise<void> {
    const kept = routerDocument.safeParse(await store.load(PART)).data
    if (kept?.networks[0]?.network_number !== number) return // another network had the number before
    try {
      await (await driver.stage(kept)).apply()
      this.running.set(number, canonicalJson(kept))
    } catch (error) {
      this.ports.log(`network ${number} cannot be restored: ${messageOfError(error)}`)
    }
  }

  /** A refused network keeps what it runs; of one that runs nothing nothing is left. */
  private async tryPart(network: NodeNetwork, number: string, document: RouterDocument): Promise<string | null> {
    const { driver } = network
    const failure = await driver.validate(document)
    if (failure) this.ports.log(`network ${number}: ${failure.reason}${failure.log ? `: ${failure.log}` : ''}`)
    const reason = failure ? failure.reason : await this.put(network, number, document)
    if (reason !== null && driver.running === null) await (await driver.stage(null)).apply()
    return reason
  }

  private async put({ driver }: NodeNetwork, number: string, document: RouterDocument): Promise<string | null> {
    try {
      await (await driver.stage(document)).apply()
      return null
    } catch (error) {
      this.ports.log(`network ${number} cannot be applied: ${messageOfError(error)}`)
      return FAILED
    }
  }

  /** The network under its number, which is new for a new network: the lowest free one. */
  private async open(number: string): Promise<NodeNetwork> {
    const slots = await this.readSlots()
    if (!slots.has(number)) await this.saveSlots((known) => known.set(number, lowestFree(known)))
    const slot = slots.get(number) ?? 0
    const network = await this.ports.open(slot)
    const own = JSON.stringify(await network.store.load('slots'))
    if (!own.includes(JSON.stringify(number))) await network.store.save('slots', firstSlots(number, slot))
    return network
  }

  private async readSlots(): Promise<Map<string, number>> {
    const known = stored.safeParse(await this.ports.store.load(NODE_NETWORKS)).data ?? []
    return (this.slots ??= new Map(known.map(({ network_number: number, slot }) => [number, slot])))
  }

  private async saveSlots(change: (slots: Map<string, number>) => unknown): Promise<void> {
    const slots = await this.readSlots()
    change(slots)
    await this.ports.store.save(
      NODE_NETWORKS,
      [...slots].map(([network_number, slot]) => ({ network_number, slot })),
    )
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.tail.then(work, work)
    this.tail = done.catch(() => {}) // the caller gets it
    return done
  }
}

const FAILED = '配置应用失败：设备未能写入配置'

function toParts(document: RouterDocument): readonly Part[] {
  return document.networks.map((network) => {
    const authorities = document.authorities?.filter(({ id }) => id === network.authority)
    const part = { ...document, lans: [], networks: [network], ...(authorities && { authorities }) }
    return { number: network.network_number, document: part, text: canonicalJson(part) }
  })
}

function lowestFree(slots: ReadonlyMap<string, number>): number {
  const used = new Set(slots.values())
  let slot = 1
  while (used.has(slot)) slot += 1
  return slot
}

/** Record of a network's driver before its first apply: it gives the network this number. */
const firstSlots = (number: string, slot: number): unknown =>
  JSON.parse(writeSlots(new Map([[number, { slot, links: new Map() }]])))
