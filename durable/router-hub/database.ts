import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { HubName, OutboxEntry } from '#contract/kernel/hubs.ts'
import { DIAL_LOST } from '#contract/kernel/states.ts'
import { CONFIG_PUSH } from '#contract/kernel/hub-limits.ts'
import type { RouterDocument } from '#contract/device/document.ts'
import { earliest } from '#contract/kernel/time.ts'
import { batch } from '#db/batch.ts'
import { openPrimary } from '#db/client.ts'
import { dialsAt, endDials } from '#features/router/sql/dials.ts'
import { selectRouter } from '#features/router/sql/document-rows.ts'
import { toRefreshEntries } from '#db/hub-outbox.ts'
import { canonicalJson, compileRouter } from '#domain/network/compile/compile.ts'
import { usedSettings } from '#domain/network/compile/device-settings.ts'
import { bandwidthInForce, nextBandwidthChange, toTerm } from '#domain/saas/bandwidth.ts'
import type { Command } from './state/commands.ts'
import type { RouterEvent } from './state/machine-events.ts'
import { type RouterState, blankRouter, loadDocument, linkIdsOf } from './state/storage.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { type NetworkRows, groupNetworkRows, hasNames, withoutNames } from '#domain/network/compile/rows.ts'
import { readKeys, toKeyOwners } from './device-keys.ts'
import { keyFingerprint, createLinkKeys } from '#security/device-secrets.ts'
import { openNetworkSecrets } from '#security/network-secret.ts'
import type { ConfigFrame } from './state/config-push.ts'
import { takesNames } from './state/state-change.ts'

/* Database of the router hub: reads a router's rows and compiles its document. */

type Refreshed = Extract<RouterEvent, { type: 'refreshed' }>

type RouterRows = Omit<Awaited<ReturnType<typeof selectRouter>>, 'holds'>

/** Networks that the document names. A software member reads its own at sign-in: no hub pushes it. */
export const toCompilerRows = (
  { routerType }: { readonly routerType: number },
  rows: Omit<RouterRows, 'router' | 'jobs'>,
): readonly NetworkRows[] => (routerType === ROUTER_TYPE.hardware ? groupNetworkRows(rows) : [])

/**
 * Reads a router's rows and compiles its document; null when there is no row. `hasKey`: its device may connect;
 * `isKeyReset`: the operator has reset it; `isHoldOn`: the operator's hold is on. `known`: state of the hub, whose device may
 * have reported more than the row has yet.
 */
export async function readRouter(env: Env, hub: HubName, known: Pick<RouterState, 'router' | 'device'> = blankRouter) {
  const db = openPrimary(env)
  const { router, jobs, holds, ...stored } = await selectRouter(db, hub)
  if (!router) return null
  const rows = { ...stored, networks: await openNetworkSecrets(env.SEAL_KEYS, stored.networks) }
  const now = Date.now()
  const term = toTerm(router)
  const bandwidth = term && bandwidthInForce(term, now)
  const owners = toKeyOwners(hub, { ...rows, router }, known)
  const keys = await readKeys({ db, sealKeys: env.SEAL_KEYS }, owners, stored, now)
  const named = toCompilerRows(router, rows)
  const isTakingNames = takesNames(known.device)
  const compiled = isTakingNames ? named : named.map(withoutNames)
  const document = compileRouter(router.name, compiled, createLinkKeys(), bandwidth, keys.compiled)
  const networks = rows.networks
    .map(({ hub: of, number, revision, accountId }) => ({
      hub: of,
      number,
      ...(accountId !== router.accountId && { accountId }),
      ...(isAwaited(document, number) && { revision }),
    }))
    .toSorted((a, b) => (a.number < b.number ? -1 : 1))
  /** Networks of customers on a node give nobody of the node's own account a right to see it. */
  const joined = rows.networks
    .filter(({ isMember }) => isMember === 1)
    .map(({ number }) => number)
    .toSorted()
  const { leftNetwork } = router
  const event: Refreshed = {
    type: 'refreshed',
    router: {
      accountId: router.accountId,
      accountHub: router.accountHub,
      deviceId: router.deviceId,
      keyFingerprint: router.publicKey === null ? null : keyFingerprint(router.publicKey),
      routerName: router.name,
      networks,
      seenIn: joined.length > 0 ? joined : leftNetwork === null ? [] : [leftNetwork],
      settings: usedSettings(document),
      isSaas: term !== null,
      changesAt: earliest([term && nextBandwidthChange(term, now), keys.changesAt]),
      refusal: keys.refusal,
      ...(named.some(hasNames) && { names: isTakingNames ? ('sent' as const) : ('left_out' as const) }),
    },
    enabled: router.status === 1,
    hash: hashDocument(document),
    isEmpty: document.networks.length === 0 && term === null,
    floor: router.configVersion ?? 0,
    linkIds: linkIdsOf(document),
    linkIps: linkIpsOf(document),
    jobs: jobs.map(({ params, ...job }) => ({ ...job, params: JSON.parse(params) as Command['params'] })),
  }
  const hasKey = router.publicKey !== null
  const isKeyReset = !hasKey && router.resetAt !== null
  const revisions = new Map(rows.networks.map(({ number, revision }) => [number, revision]))
  return { event, document, hasKey, isKeyReset, isHoldOn: holds.length > 0, revisions }
}

/** True if points wait for this router as a centre of tunnels. */
const isAwaited = ({ networks }: RouterDocument, number: string): boolean =>
  networks.some(
    ({ network_number, links }) =>
      network_number === number &&
      links.some(({ kind, role, carrier }) => kind === 'access' && role === 'server' && carrier === 'tunnel'),
  )

const linkIpsOf = (document: RouterDocument): Readonly<Record<string, string>> =>
  Object.fromEntries(
    document.networks
      .flatMap(({ links }) => links.filter(({ role }) => role === 'client'))
      .flatMap(({ id, local_ip }) => (local_ip === NO_ADDRESS ? [] : [[id, local_ip]])),
  )

/** Address of a link without a tunnel. */
const NO_ADDRESS = '0.0.0.0'

/** The stored document as it is pushed; null if there is none yet. */
export function toConfigFrame(
  storage: Parameters<typeof loadDocument>[0],
  { version, hash }: RouterState['config'],
  env: Pick<Env, 'ENVIRONMENT' | 'CONFIRM_S'>,
): ConfigFrame | null {
  const body = loadDocument(storage)
  return body && { t: 'config', version, hash, body, confirm_s: toConfirmSeconds(env) }
}

/** A local run may confirm sooner, so that its checks await a return in seconds. */
const toConfirmSeconds = ({ ENVIRONMENT, CONFIRM_S }: Pick<Env, 'ENVIRONMENT' | 'CONFIRM_S'>): number =>
  (ENVIRONMENT === 'local' && Number(CONFIRM_S)) || CONFIG_PUSH.confirmSeconds

/** The empty document for a device whose router is deleted, above every version it knows; null if it runs nothing. */
export function toEmptyConfigFrame({ router, config }: RouterState): ConfigFrame | null {
  if (!router || (config.applied === null && config.version === 0)) return null
  const body = compileRouter(router.routerName, [], createLinkKeys())
  const hash = hashDocument(body)
  if (config.applied?.hash === hash) return null
  const version = Math.max(config.version, config.applied?.version ?? 0) + 1
  return { t: 'config', version, hash, body, confirm_s: CONFIG_PUSH.confirmSeconds }
}

/** SHA-256, hex, of the canonical JSON: equal hashes mean equal documents. */
const hashDocument = (document: RouterDocument): string =>
  createHash('sha256').update(canonicalJson(document)).digest('hex')

export async function endUnreportedDials(env: Env, hub: HubName, since: number, now: number): Promise<OutboxEntry[]> {
  const ending = sql`${dialsAt(sql`select id from routers where hub = ${hub}`)} and l.seen_at < ${since}`
  const { notices } = await batch(openPrimary(env), endDials(openPrimary(env), { ending, reason: DIAL_LOST }, now))
  return toRefreshEntries(notices)
}
