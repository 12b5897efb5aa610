import type { ClientChange, HubName, Hubs, StateMove } from '#contract/kernel/hubs.ts'
import { CLIENT_NOTICES } from '#contract/kernel/hub-limits.ts'
import { mapLimit } from '#db/concurrency.ts'
import { moveBetween } from '#domain/health/history.ts'
import { toPresenceView } from '#domain/router/presence.ts'
import { SingleFlight } from '#durable/async.ts'
import type { MovedClient } from './database.ts'

/* Tells consoles and networks which software members came, left or changed status, and marks these as notified. */

const CONCURRENCY = 20 // networks called at the same time

interface ClientNoticesDeps {
  readonly hubs: Hubs
  /** Reads a page of changed clients, in order of `id`. */
  read(afterId: number, limit: number): Promise<readonly MovedClient[]>
  save(clients: readonly MovedClient[]): Promise<unknown>
  onMoved(client: MovedClient, change: ClientChange, move: StateMove | null): void
}

/** One reader per account, so that no change overtakes another. After a crash before the mark the notices are repeated. */
export class ClientNotices {
  private readonly deps: ClientNoticesDeps
  private readonly flight = new SingleFlight(() => this.deliver())

  constructor(deps: ClientNoticesDeps) {
    this.deps = deps
  }

  /** Throws if a network did not answer, so that the hub outbox delivers again. */
  run(): Promise<void> {
    return this.flight.run()
  }

  private async deliver(): Promise<void> {
    const faults: unknown[] = []
    for (let afterId = 0; ;) {
      const page = await this.deps.read(afterId, CLIENT_NOTICES.page)
      faults.push(...(await this.notify(page)))
      if (page.length < CLIENT_NOTICES.page) break
      afterId = page.at(-1)?.id ?? 0
    }
    if (faults.length > 0) throw faults[0]
  }

  private async notify(page: readonly MovedClient[]): Promise<readonly unknown[]> {
    const notices: { readonly hub: HubName; readonly change: ClientChange }[] = []
    for (const client of page) {
      const change = { routerHub: client.hub, routerName: client.name, presence: toPresenceView(client.state) }
      const before = { ...change.presence, state: client.notified }
      this.deps.onMoved(client, change, moveBetween(before, change.presence, change.presence.since ?? Date.now()))
      notices.push(...client.networkHubs.map((hub) => ({ hub, change })))
    }
    const calls = [...Map.groupBy(notices, ({ hub }) => hub)]
    const results = await mapLimit(calls, CONCURRENCY, ([hub, own]) =>
      this.deps.hubs.network(hub).clientsChanged(own.map(({ change }) => change)),
    )
    const failed = new Set(calls.flatMap(([hub], i) => (results[i]?.status === 'rejected' ? [hub] : [])))
    const notified = page.filter(({ networkHubs }) => !networkHubs.some((hub) => failed.has(hub)))
    if (notified.length > 0) await this.deps.save(notified)
    return results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []))
  }
}
