import {
  HUB_HEADER,
  type HubKind,
  type HubName,
  type Hubs,
  JURISDICTIONS,
  LOCATION_HINTS,
  MISSING_METHOD,
  type UpgradeIdentity,
} from '#contract/kernel/hubs.ts'
import { placeOf } from '#security/hub-name.ts'
import { currentRequestId, withRequestId } from './fault-log.ts'

/* Clients of the hubs (Durable Objects): names, RPC with retry, and socket upgrades. */

const NAMESPACE = {
  router: 'ROUTER_HUB',
  network: 'NETWORK_HUB',
  account: 'ACCOUNT_HUB',
  directory: 'DIRECTORY_HUB',
} as const satisfies Record<HubKind | 'directory', keyof Env>
type Kind = keyof typeof NAMESPACE
const TRIES = 3
const RETRY_MS = 100

/** A hub's name is the `hub` column of its row. Earlier releases used names of another form. */
export const isHubName = (name: string | undefined): name is HubName =>
  name !== undefined && /^[a-z]+\.[0-9a-f]{32}$/.test(name)

/** Header of an upgrade with the request id, as on the answer to the request that caused it. */
export const REQUEST_ID_HEADER = 'x-request-id'

/**
 * The hubs as use cases and other hubs reach them: RPC with retry, and socket upgrades. Both carry the id of the request;
 * without one given, the one that the calling hub is handling.
 */
export function createHubs(
  env: Env,
  requestId?: string,
): Hubs & { connect(kind: Kind, hub: HubName, identity: UpgradeIdentity): Promise<Response> } {
  const requestIdOf = () => requestId ?? currentRequestId()
  const createClient = <Rpc extends object>(kind: Kind, hub: HubName, earlierId?: string): Rpc => {
    const get =
      (_: object, method: string) =>
      (...args: unknown[]) =>
        withRetry(() => createStub(env, kind, hub).rpc(earlierId || requestIdOf(), method, args))
    return new Proxy({}, { get }) as Rpc
  }
  return {
    router: (hub, earlierId) => createClient('router', hub, earlierId),
    network: (hub, earlierId) => createClient('network', hub, earlierId),
    account: (hub, earlierId) => createClient('account', hub, earlierId),
    directory: (hub) => createClient('directory', hub),
    connect: (kind, hub, identity) =>
      withRetry(() => createStub(env, kind, hub).fetch(upgradeRequest(identity, requestIdOf()))),
  }
}

interface HubStub {
  readonly fetch: (request: Request) => Promise<Response>
  rpc(requestId: string | undefined, method: string, args: readonly unknown[]): Promise<unknown>
}
interface HubNamespace extends Namespace<HubNamespace, HubStub> {}

/** A location hint goes with every call, because the platform honours only the one that creates the object. */
function createStub(env: Env, kind: Kind, hub: HubName): HubStub {
  if (!isHubName(hub)) throw new Error(`not the name of a hub: ${hub}`)
  const place = placeOf(hub) === 'default' ? (env.HUB_PLACE ?? '') : placeOf(hub)
  return stubIn(env, env[NAMESPACE[kind]] as unknown as HubNamespace, hub, place)
}

interface Namespace<N, S> {
  getByName(name: string, options?: { locationHint?: DurableObjectLocationHint }): S
  jurisdiction(jurisdiction: DurableObjectJurisdiction): N
}

/** Object of that name at a place: a location hint, a jurisdiction, or anywhere. */
export function stubIn<N extends Namespace<N, S>, S>(env: Env, namespace: N, name: string, place: string): S {
  const jurisdiction = JURISDICTIONS.find((known) => known === place)
  const locationHint = LOCATION_HINTS.find((known) => known === place)
  if (locationHint) return namespace.getByName(name, { locationHint })
  // Jurisdictions are skipped in local runs: workerd does not support them.
  const isInside = jurisdiction !== undefined && env.ENVIRONMENT !== 'local'
  return (isInside ? namespace.jurisdiction(jurisdiction) : namespace).getByName(name)
}

/** Header values are ASCII, names of members are not. */
const upgradeRequest = (identity: UpgradeIdentity, requestId: string | undefined): Request =>
  new Request('https://hub/', {
    headers: {
      upgrade: 'websocket',
      ...(requestId !== undefined && { [REQUEST_ID_HEADER]: requestId }),
      ...(identity.by === 'device' && { [HUB_HEADER.device]: encodeURIComponent(JSON.stringify(identity.device)) }),
      ...(identity.by === 'returning' && {
        [HUB_HEADER.returning]: encodeURIComponent(JSON.stringify(identity.returning)),
      }),
      ...(identity.by === 'tunnel' && { [HUB_HEADER.tunnel]: JSON.stringify(identity.tunnel) }),
      ...(identity.by === 'viewer' && { [HUB_HEADER.viewer]: encodeURIComponent(JSON.stringify(identity.viewer)) }),
      ...(identity.by === 'selfTest' && { [HUB_HEADER.selfTest]: '1' }),
    },
  })

/** The identity that the Worker put into the upgrade after checking a ticket or a token, or null. */
export function readUpgradeIdentity({ headers }: Request): UpgradeIdentity | null {
  for (const by of ['device', 'returning', 'tunnel', 'viewer'] as const) {
    const text = headers.get(HUB_HEADER[by])
    if (text !== null) return { by, [by]: JSON.parse(decodeURIComponent(text)) } as UpgradeIdentity
  }
  return headers.has(HUB_HEADER.selfTest) ? { by: 'selfTest' } : null
}

/**
 * A stub is broken after an error, so each try takes a new one. Only errors that the platform calls retryable are tried
 * again, and never an overloaded hub, which more calls would only load further.
 */
export async function withRetry<T>(call: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call()
    } catch (error) {
      if (attempt >= TRIES || !isRetryable(error)) throw error
      await new Promise((done) => setTimeout(done, Math.random() * RETRY_MS * 2 ** attempt))
    }
  }
}

function isRetryable(error: unknown): boolean {
  const { retryable = false, overloaded = false } = error as { retryable?: boolean; overloaded?: boolean }
  return retryable && !overloaded
}

type Methods = Readonly<Record<string, ((...args: readonly unknown[]) => Promise<unknown>) | undefined>>

/**
 * Calls a hub's method by its name, with the id of the request behind it. Rejects if the hub has no such method, as an
 * older release has none that a newer Worker calls: an outbox row must not count as delivered then.
 */
export function callMethod(
  hub: object,
  requestId: string | undefined,
  method: string,
  args: readonly unknown[],
): Promise<unknown> {
  return withRequestId(requestId, async () => {
    const methods = hub as Methods
    if (typeof methods[method] !== 'function') throw new Error(`${MISSING_METHOD} ${method}`)
    return methods[method](...args)
  })
}
