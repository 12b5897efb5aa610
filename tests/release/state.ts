/* State of a drill as its Worker and its tests exchange it: hubs, rows, calls, frames. */

/** Path of the drill's own requests. */
export const CONTROL = '/__drill'

/** Words with which an object ends that moves. */
export const MOVING = 'the object moves to another release'

export const BINDING = {
  RouterHub: 'ROUTER_HUB',
  NetworkHub: 'NETWORK_HUB',
  AccountHub: 'ACCOUNT_HUB',
  DirectoryHub: 'DIRECTORY_HUB',
  HashPool: 'HASH_POOL',
} as const

export type HubClassName = keyof typeof BINDING

/** Storage and sockets of an object, its bytes as `toJson` has them. */
export interface StoredHub {
  readonly hubClass: HubClassName
  readonly name: string
  readonly alarm: number | null
  readonly kv: Readonly<Record<string, unknown>>
  /** Statements of the schema in the order in which they were made. */
  readonly schema: readonly string[]
  readonly tables: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>
  readonly attachments: readonly unknown[]
}

/** Call of an object by the Worker or by another object; `connect` is an upgrade with its identity. */
export interface RecordedCall {
  readonly hubClass: HubClassName
  readonly name: string
  readonly method: string
  readonly args: readonly unknown[]
  readonly result: unknown
}

export interface DrillState {
  readonly hubs: readonly StoredHub[]
  readonly rows: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>
  readonly calls: readonly RecordedCall[]
  /** Frames that reached a hub and that a hub has sent, each kind twice at most. */
  readonly received: readonly unknown[]
  readonly sent: readonly unknown[]
}

/** Upgrade of an object with the identity that a Worker has put into its headers. */
export interface RecordedUpgrade {
  readonly hubClass: HubClassName
  readonly name: string
  readonly identity: readonly (readonly [header: string, value: unknown])[]
}

/** Value of a storage as JSON has it: bytes are `{ "$buffer": base64 }`, or `$array` of a Uint8Array. */
export function toJson(value: unknown): unknown {
  if (value instanceof ArrayBuffer) return { $buffer: Buffer.from(value).toString('base64') }
  if (value instanceof Uint8Array) return { $array: Buffer.from(value).toString('base64') }
  if (Array.isArray(value)) return value.map(toJson)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, toJson(one)]))
}

export function fromJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromJson)
  if (typeof value !== 'object' || value === null) return value
  if ('$buffer' in value) return toBytes(value.$buffer).buffer
  if ('$array' in value) return toBytes(value.$array)
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fromJson(one)]))
}

const toBytes = (text: unknown): Uint8Array => new Uint8Array(Buffer.from(String(text), 'base64'))
