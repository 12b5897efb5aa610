import { createHash } from 'node:crypto'
import { VPN } from '#contract/device/limits.ts'
import type { HubName } from '#contract/kernel/hubs.ts'
import { batch } from '#db/batch.ts'
import type { Db } from '#db/client.ts'
import type { DeviceKeys } from '#domain/network/compile/keys.ts'
import {
  type DueSignatures,
  type KeyFacts,
  dueSignatures,
  isAnyDue,
  nextSignatureAt,
  type RefusedRequest,
  standingRefusal,
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
import { isSameOwner } from './state/machine.ts'
import type { RouterState } from './state/storage.ts'

/*
 * Keys in the document of a device that runs its tunnels. What is missing is signed and stored before the document is
 * compiled, so certificate, revocation list and document agree. Without a missing signature nothing more is read.
 */

type RouterRows = Awaited<ReturnType<typeof selectRouter>>
type StoredKeys = Pick<RouterRows, 'authorities' | 'certificates' | 'lists'>

/** Router with a device, its networks with opened secrets, and what the device has reported. */
export interface KeyOwner {
  readonly hub: HubName
  readonly accountId: number
  readonly name: string
  readonly deviceId: number
  readonly publicKey: string
  readonly networks: readonly { readonly id: number; readonly number: string; readonly secret: string }[]
  readonly isServer: boolean
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

export const NO_KEYS: ReadKeys = { compiled: null, refusal: null, changesAt: null }

type StoredRouter = NonNullable<RouterRows['router']>
type KnownRouter = Pick<RouterState, 'router' | 'device'>

/** Owner of keys; null for a device that runs no tunnels, that has no key, or that is in no network. */
export function toKeyOwner(
  hub: HubName,
  { router, networks, members }: Pick<RouterRows, 'networks' | 'members'> & { readonly router: StoredRouter },
  known: KnownRouter,
): KeyOwner | null {
  const { accountId, name, deviceId, publicKey } = router
  const { runsTunnels, ...reported } = reportedBy(router, known)
  // Networks of customers on a node have other authorities.
  const own = networks.filter((network) => network.isMember === 1 && network.withdrawn === 0)
  if (!runsTunnels || deviceId === null || publicKey === null || own.length === 0) return null
  const isServer = members.some(({ routerName, memberType }) => routerName === name && memberType === 'center')
  return { hub, accountId, name, deviceId, publicKey, networks: own, isServer, ...reported }
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

export async function readKeys(
  { db, sealKeys }: { readonly db: Db; readonly sealKeys: string },
  owner: KeyOwner,
  stored: StoredKeys,
  now: number,
): Promise<ReadKeys> {
  const facts = toFacts(owner, stored)
  const due = dueSignatures(facts, now)
  if (!isAnyDue(due)) return toKeys(owner, stored, { refusal: standingRefusal(facts, now), facts }, now)
  const signer = await readSigner(db, sealKeys, owner.accountId, due, now)
  const refusal = due.certificate === null ? standingRefusal(facts, now) : null
  const signed = await signDue(db, { signer, owner, facts, due }, now)
  if (signed.stored.authorities[0]?.name !== signer.row.name) throw new Error('another authority has signed meanwhile')
  const after = toFacts(owner, signed.stored)
  return toKeys(owner, signed.stored, { refusal: signed.refusal ?? refusal, facts: after }, now)
}

function toFacts({ request, refusal, isServer, networks }: KeyOwner, { authorities, certificates, lists }: StoredKeys) {
  const [certificate = null] = certificates
  const facts: KeyFacts = {
    authority: authorities[0] ?? null,
    certificate,
    issued: certificate?.issued ?? 0,
    request: request === null ? null : hashOf(request),
    refusal,
    isServer,
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
  const { accountId, hub, deviceId, publicKey } = owner
  const signedFor: SignedFor = { accountId, authority: signer.row.name, hub, deviceId, publicKey }
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
  const { request, name, isServer } = owner
  const requestHash = facts.request ?? ''
  const publicKey = await readRequest(request ?? '', name)
  if (typeof publicKey === 'string') return { refusal: { requestHash, reason: publicKey, at: now } }
  const issued = await signCertificate(signer.open, publicKey, { name, isServer }, now)
  return { row: { ...issued, requestHash, isServer: isServer ? (1 as const) : (0 as const) } }
}

async function listOf({ signer, facts }: DueWork, networkId: number, now: number) {
  const own = signer.revocations.filter(([network]) => network === networkId)
  const known = facts.networks.find((network) => network.networkId === networkId)?.newest ?? 0
  const newest = Math.max(known, own[0]?.[1] ?? 0)
  const revocations = own.map(([, , serial, revokedAt]) => ({ serial, revokedAt }))
  return { networkId, newest, list: await signList(signer.open, { revocations, number: newest }, now) }
}

function toKeys(
  { networks }: KeyOwner,
  { authorities, certificates, lists }: StoredKeys,
  { refusal, facts }: { readonly refusal: RefusedRequest | null; readonly facts: KeyFacts },
  now: number,
): ReadKeys {
  const [authority] = authorities
  if (!authority) throw new Error('the account has no authority')
  const listById = new Map(lists.map(({ networkId, list }) => [networkId, list]))
  const ofNetworks = networks.flatMap(({ id, number, secret }) => {
    const revoked = listById.get(id)
    return revoked == null ? [] : [[number, { controlKey: controlKey(secret), revoked }] as const]
  })
  const keys: DeviceKeys = {
    authority: { id: authority.name, ca: authority.certificate, certificate: certificates[0]?.certificate ?? null },
    networks: new Map(ofNetworks),
  }
  return { compiled: keys, refusal, changesAt: nextSignatureAt(facts, now) }
}
