import { createHash } from 'node:crypto'
import { VPN } from '#contract/device/limits.ts'
import { toWireBoolean } from '#contract/kernel/fields.ts'
import type { HubName } from '#contract/kernel/hubs.ts'
import { MINUTE_MS, earliest } from '#contract/kernel/time.ts'
import { batch } from '#db/batch.ts'
import type { Db } from '#db/client.ts'
import type { DeviceKeys } from '#domain/network/compile/keys.ts'
import {
  type DueSignatures,
  type KeyFacts,
  type ServedTunnels,
  dueSignatures,
  isAnyDue,
  nextSignatureAt,
  type RefusedRequest,
  standingRefusal,
  usagesOf,
} from '#domain/router/certificate.ts'
import {
  insertAuthority,
  insertCertificate,
  saveList,
  selectAuthority,
  selectRevocations,
  type SignedFor,
} from '#features/router/sql/certificates.ts'
import { type selectRouter, selectKeys } from '#features/router/sql/document-rows.ts'
import {
  createAuthority,
  openAuthority,
  signCertificate,
  signList,
  type Signer,
} from '#security/authority/authority.ts'
import { readRequest } from '#security/authority/request.ts'
import { controlKey, keyFingerprint } from '#security/device-secrets.ts'
import { logFault } from '#durable/fault-log.ts'
import { isSameOwner } from './state/machine.ts'
import type { RouterState } from './state/storage.ts'

/*
 * Keys in the document of a device that runs its tunnels. What is missing is signed and stored before the document is
 * compiled, so certificate, revocation list and document agree. Without a missing signature nothing more is read.
 */

type RouterRows = Awaited<ReturnType<typeof selectRouter>>
type StoredKeys = Pick<RouterRows, 'authorities' | 'certificates' | 'lists'>

/** Router with a device, its networks of one account with opened secrets, and what the device has reported. */
export interface KeyOwner {
  readonly hub: HubName
  /** Account of the networks, whose authority signs; a node carries networks of many. */
  readonly accountId: number
  /** Account of the router. */
  readonly routerAccountId: number
  readonly name: string
  readonly deviceId: number
  readonly publicKey: string
  readonly networks: readonly { readonly id: number; readonly number: string; readonly secret: string }[]
  readonly serves: ServedTunnels
  readonly request: string | null
  readonly refusal: RefusedRequest | null
}

export interface ReadKeys {
  /** Null for a device that runs no tunnels. */
  readonly compiled: DeviceKeys | null
  readonly refusal: RefusedRequest | null
  /** Time at which another signature is due; null: none is to come. */
  readonly changesAt: number | null
}

const NO_KEYS: ReadKeys = { compiled: null, refusal: null, changesAt: null }

type StoredRouter = NonNullable<RouterRows['router']>
type KnownRouter = Pick<RouterState, 'router' | 'device'>

/** Owners of keys by account; none for a device that runs no tunnels, that has no key, or that is in no network. */
export function toKeyOwners(
  hub: HubName,
  {
    router,
    networks,
    ...rows
  }: Pick<RouterRows, 'networks' | 'members' | 'pointLinks'> & {
    readonly router: StoredRouter
  },
  known: KnownRouter,
): readonly KeyOwner[] {
  const { accountId: routerAccountId, name, deviceId, publicKey } = router
  const { runsTunnels, ...reported } = reportedBy(router, known)
  if (!runsTunnels || deviceId === null || publicKey === null) return []
  const running = networks.filter(({ withdrawn }) => withdrawn === 0)
  const accounts = [...new Set(running.map(({ accountId }) => accountId))].toSorted((a, b) => a - b)
  return accounts.map((accountId) => {
    const own = running.filter((network) => network.accountId === accountId)
    const serves = own.some(({ isMember }) => isMember === 0) ? 'gateway' : servedBy(name, rows)
    return { hub, accountId, routerAccountId, name, deviceId, publicKey, networks: own, serves, ...reported }
  })
}

/** Tunnels that a router answers as a member. */
function servedBy(name: string, { members, pointLinks }: Pick<RouterRows, 'members' | 'pointLinks'>): ServedTunnels {
  const own = members.filter(({ routerName }) => routerName === name)
  if (own.some(({ memberType }) => memberType === 'center')) return 'gateway'
  return pointLinks.some(({ serverId }) => own.some(({ routerId }) => routerId === serverId)) ? 'pair' : 'none'
}

/** Report of the device: as the hub knows it, or as the row has it while the hub knows none of this owner. */
function reportedBy({ publicKey, ...router }: StoredRouter, { router: facts, device }: KnownRouter) {
  const owner = { ...router, keyFingerprint: publicKey === null ? null : keyFingerprint(publicKey) }
  const isKnown = facts === null || isSameOwner(facts, owner)
  const refusal = (isKnown && facts?.refusal) || null
  if (!isKnown || !device?.capabilities)
    return { runsTunnels: router.vpn === 1, request: router.certificateRequest, refusal }
  return { runsTunnels: device.capabilities.includes(VPN.capability), request: device.csr ?? null, refusal }
}

interface KeyDeps {
  readonly db: Db
  readonly sealKeys: string
}

/** Pause after a fault of one of several authorities. */
const RETRY_MS = 5 * MINUTE_MS

/**
 * Keys of a device by all authorities that sign for it, each in its turn. A fault of one customer's keys on a node holds up no
 * other customer: the keys that are stored go on.
 */
export async function readKeys(
  deps: KeyDeps,
  owners: readonly KeyOwner[],
  stored: StoredKeys,
  now: number,
): Promise<ReadKeys> {
  const read: OwnKeys[] = []
  for (const owner of owners) {
    try {
      read.push(await readOwnKeys(deps, owner, stored, now))
    } catch (error) {
      if (owners.length === 1) throw error
      logFault(owner.hub, 'keys', error, { account: owner.accountId })
      if (rowOf(owner, stored.authorities) === null) continue // it has none yet
      const keys = toKeys(owner, stored, { refusal: null, facts: toFacts(owner, stored) }, now)
      read.push({ ...keys, changesAt: now + RETRY_MS })
    }
  }
  if (read.length === 0) return NO_KEYS
  return {
    compiled: {
      authorities: read.map(({ authority }) => authority),
      networks: new Map(read.flatMap(({ networks }) => networks)),
    },
    refusal: read.find(({ refusal }) => refusal !== null)?.refusal ?? null,
    changesAt: earliest(read.map(({ changesAt }) => changesAt)),
  }
}

/** Keys by the authority of one account. */
interface OwnKeys extends Pick<ReadKeys, 'refusal' | 'changesAt'> {
  readonly authority: DeviceKeys['authorities'][number]
  readonly networks: readonly (readonly [number: string, NetworkKeys])[]
}

type NetworkKeys = DeviceKeys['networks'] extends ReadonlyMap<string, infer K> ? K : never

async function readOwnKeys(
  { db, sealKeys }: KeyDeps,
  owner: KeyOwner,
  stored: StoredKeys,
  now: number,
): Promise<OwnKeys> {
  const facts = toFacts(owner, stored)
  const due = dueSignatures(facts, now)
  if (!isAnyDue(due)) return toKeys(owner, stored, { refusal: standingRefusal(facts, now), facts }, now)
  const signer = await readSigner(db, sealKeys, owner.accountId, due, now)
  const refusal = due.certificate === null ? standingRefusal(facts, now) : null
  const signed = await signDue(db, { signer, owner, facts, due }, now)
  if (rowOf(owner, signed.stored.authorities)?.name !== signer.row.name)
    throw new Error('another authority has signed meanwhile')
  const after = toFacts(owner, signed.stored)
  return toKeys(owner, signed.stored, { refusal: signed.refusal ?? refusal, facts: after }, now)
}

const rowOf = <T extends { readonly accountId: number }>(
  { accountId }: Pick<KeyOwner, 'accountId'>,
  rows: readonly T[],
): T | null => rows.find((row) => row.accountId === accountId) ?? null

function toFacts(owner: KeyOwner, { authorities, certificates, lists }: StoredKeys) {
  const { request, refusal, serves, networks } = owner
  const certificate = rowOf(owner, certificates)
  const facts: KeyFacts = {
    authority: rowOf(owner, authorities),
    certificate,
    issued: certificate?.issued ?? 0,
    request: request === null ? null : hashOf(request),
    refusal,
    serves,
    networks: lists.filter(({ networkId }) => networks.some(({ id }) => id === networkId)),
  }
  return facts
}

const hashOf = (request: string): string => createHash('sha256').update(request).digest('hex')

type SignerRow = Awaited<ReturnType<typeof selectAuthority>>[number]
interface StoredSigner {
  readonly row: SignerRow
  readonly open: Signer
  /** Revocations of the networks whose lists are due. */
  readonly revocations: Awaited<ReturnType<typeof selectRevocations>>
}

/** The authority of the account, which is made at the first need. */
async function readSigner(
  db: Db,
  sealKeys: string,
  accountId: number,
  due: DueSignatures,
  now: number,
): Promise<StoredSigner> {
  const made = due.authority ? await createAuthority(sealKeys, accountId, now) : null
  const { rows, revocations } = await batch(db, {
    made: made !== null && insertAuthority(db, { ...made, createdAt: now }),
    rows: selectAuthority(db, accountId),
    revocations: selectRevocations(db, accountId, due.lists, now),
  })
  const [row] = rows
  if (!row) throw new Error('the account has no authority')
  return { row, open: await openAuthority(sealKeys, row), revocations }
}

interface DueWork {
  readonly signer: StoredSigner
  readonly owner: KeyOwner
  readonly facts: KeyFacts
  readonly due: DueSignatures
}

/** Signs and stores what is due. Answers the rows as they are stored then: another hub may have been first. */
async function signDue(db: Db, work: DueWork, now: number) {
  const { signer, owner, due } = work
  const { accountId, routerAccountId, hub, deviceId, publicKey } = owner
  const signedFor: SignedFor = { accountId, routerAccountId, authority: signer.row.name, hub, deviceId, publicKey }
  const issued = due.certificate === null ? null : await issue(work, now)
  const lists = await Promise.all(due.lists.map((networkId) => listOf(work, networkId, now)))
  const results = await batch(db, {
    certificate: issued !== null && 'row' in issued && insertCertificate(db, signedFor, issued.row, now),
    ...Object.fromEntries(lists.map((list, i) => [`list${i}`, saveList(db, signedFor, list)])),
    ...selectKeys({ hub, now }),
  })
  return { stored: results as StoredKeys, refusal: issued !== null && 'refusal' in issued ? issued.refusal : null }
}

async function issue({ signer, owner, facts }: DueWork, now: number) {
  const { request, name, serves } = owner
  const requestHash = facts.request ?? ''
  const publicKey = await readRequest(request ?? '', name)
  if (typeof publicKey === 'string') return { refusal: { requestHash, reason: publicKey, at: now } }
  const { isServer, isGateway } = usagesOf(serves)
  const issued = await signCertificate(signer.open, publicKey, { name, isServer, isGateway }, now)
  const usages = { isServer: toWireBoolean(isServer), isGateway: toWireBoolean(isGateway) }
  return { row: { ...issued, ...usages, requestHash } }
}

async function listOf({ signer, facts }: DueWork, networkId: number, now: number) {
  const own = signer.revocations.filter(([network]) => network === networkId)
  const known = facts.networks.find((network) => network.networkId === networkId)?.newest ?? 0
  const newest = Math.max(known, own[0]?.[1] ?? 0)
  const revocations = own.map(([, , serial, revokedAt]) => ({ serial, revokedAt }))
  return { networkId, newest, list: await signList(signer.open, { revocations, number: newest }, now) }
}

function toKeys(
  owner: KeyOwner,
  { authorities, certificates, lists }: StoredKeys,
  { refusal, facts }: { readonly refusal: RefusedRequest | null; readonly facts: KeyFacts },
  now: number,
): OwnKeys {
  const authority = rowOf(owner, authorities)
  if (!authority) throw new Error('the account has no authority')
  const listById = new Map(lists.map(({ networkId, list }) => [networkId, list]))
  const networks = owner.networks.flatMap(({ id, number, secret }) => {
    const revoked = listById.get(id)
    if (revoked == null) return []
    return [[number, { authority: authority.name, controlKey: controlKey(secret), revoked }] as const]
  })
  const certificate = rowOf(owner, certificates)?.certificate ?? null
  return {
    authority: { id: authority.name, ca: authority.certificate, certificate },
    networks,
    refusal,
    changesAt: nextSignatureAt(facts, now),
  }
}
