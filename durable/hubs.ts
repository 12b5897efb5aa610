import { HUB_HEADER, type HubKind, type Hubs, type UpgradeIdentity } from '../worker/contract/hubs.ts'

const NAMESPACE = { router: 'ROUTER_HUB', network: 'NETWORK_HUB', account: 'ACCOUNT_HUB' } as const satisfies Record<
  HubKind,
  keyof Env
>
const TRIES = 3
const RETRY_MS = 100

/** The hubs as use cases and other hubs reach them. Names of hubs are made here and nowhere else. */
export function createHubs(
  env: Env,
): Hubs & { connect(kind: HubKind, id: number, identity: UpgradeIdentity): Promise<Response> } {
  return {
    router: (id) => createClient(env, hubName('router', id)),
    network: (id) => createClient(env, hubName('network', id)),
    account: (id) => createClient(env, hubName('account', id)),
    connect: (kind, id, identity) => withRetry(() => stubOf(env, hubName(kind, id)).fetch(upgradeRequest(identity))),
  }
}

export const hubName = (kind: HubKind, id: number): string => `${kind}:${id}`

/** The methods `Rpc` of the hub of that name, each call with retries. */
export function createClient<Rpc extends object>(env: Env, name: string): Rpc {
  type Methods = Record<string, (...args: unknown[]) => Promise<unknown>>
  const call = (method: string, args: unknown[]) =>
    withRetry(async () => (stubOf(env, name) as unknown as Methods)[method]?.(...args))
  const get =
    (_: object, method: string) =>
    (...args: unknown[]) =>
      call(method, args)
  return new Proxy({}, { get }) as Rpc
}

function stubOf(env: Env, name: string): DurableObjectStub {
  const [kind] = name.split(':') as [HubKind]
  return (env[NAMESPACE[kind]] as DurableObjectNamespace).getByName(name)
}

/** Header values are ASCII, names of members are not. */
const upgradeRequest = (identity: UpgradeIdentity): Request =>
  new Request('https://hub/', {
    headers: {
      upgrade: 'websocket',
      ...(identity.by === 'device' && { [HUB_HEADER.device]: encodeURIComponent(JSON.stringify(identity.device)) }),
      ...(identity.by === 'viewer' && { [HUB_HEADER.viewer]: encodeURIComponent(JSON.stringify(identity.viewer)) }),
    },
  })

/**
 * A stub is broken after an error, so each try takes a new one. Only errors that the platform calls retryable are tried
 * again, and never an overloaded hub, which more calls would only load further.
 */
async function withRetry<T>(call: () => Promise<T>): Promise<T> {
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

/** The number in a hub's own name. */
export function numberOf({ name }: DurableObjectId): number {
  const number = Number(name?.split(':')[1])
  if (!Number.isInteger(number)) throw new Error(`hub without a number: ${name}`)
  return number
}
