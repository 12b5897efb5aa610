import type { ErrorKey } from '#contract/kernel/errors.ts'
import { HUB_CALL } from '#contract/kernel/hub-limits.ts'
import { within } from '#db/concurrency.ts'
import type { LiveHubs } from './context.ts'

/* Hubs of use cases. One that throws at each wake, hangs or is gone is a refusal of its own, never a fault of the call. */

const REFUSALS = {
  router: 'ROUTER_UNREADABLE',
  network: 'NETWORK_UNREADABLE',
  account: 'ALERTS_UNAVAILABLE',
  directory: 'DIRECTORY_UNREADABLE',
} as const satisfies Readonly<Record<Parameters<LiveHubs['connect']>[0], ErrorKey>>
type Kind = keyof typeof REFUSALS

/** A hub has not answered; its `cause` is the error of the call. It is no Refusal, because it is logged as a fault. */
export class HubAway extends Error {
  override readonly name = 'HubAway'
  readonly key: ErrorKey

  constructor(kind: Kind, cause: unknown) {
    super(`the ${kind} hub does not answer`, { cause })
    this.key = REFUSALS[kind]
    if (cause instanceof Error && cause.stack !== undefined) this.stack = cause.stack // for the log
  }
}

/** Hubs whose calls end with HubAway if they fail, or take longer than a page waits. */
export const answeringHubs = (hubs: LiveHubs, onCall: () => void = () => {}): LiveHubs => ({
  router: (hub) => answering('router', hubs.router(hub), onCall),
  network: (hub) => answering('network', hubs.network(hub), onCall),
  account: (hub) => answering('account', hubs.account(hub), onCall),
  directory: (hub) => answering('directory', hubs.directory(hub), onCall),
  connect: (kind, hub, identity) => {
    onCall()
    return answer(kind, hubs.connect(kind, hub, identity))
  },
})

type Methods = Readonly<Record<string, ((...args: unknown[]) => Promise<unknown>) | undefined>>

const answering = <T extends object>(kind: Kind, target: T, onCall: () => void): T =>
  new Proxy(target, {
    get:
      (_, method) =>
      (...args: unknown[]) => {
        onCall()
        return answer(kind, Promise.resolve((target as Methods)[String(method)]?.(...args)))
      },
  })

/** A directory has time limits of its own: its hub asks a server that may be slow. */
async function answer<T>(kind: Kind, asked: Promise<T>): Promise<T> {
  try {
    return await (kind === 'directory' ? asked : within(HUB_CALL.answerMs, asked))
  } catch (error) {
    throw new HubAway(kind, error)
  }
}
