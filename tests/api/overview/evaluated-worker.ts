import { eq } from 'drizzle-orm'
import type { PathProblem } from '#contract/kernel/health.ts'
import type { HealthAnswer } from '#contract/kernel/hubs.ts'
import { overviewApi } from '#contract/overview/index.ts'
import type { LinkView, MemberView } from '#contract/kernel/protocol.ts'
import { routerStates } from '#db/schema/routers.ts'
import { evaluateNetwork } from '#domain/health/network.ts'
import { fakeHubs, noAnswer } from '#tests/support/fake-hubs.ts'
import { type Caller, type createSubAccount, lanPort } from '#tests/support/fixtures.ts'
import { createTestWorker, db } from '#tests/support/test-worker.ts'

export const since = Date.now() - 3_600_000
export const state = (presence: 'online' | 'offline' | 'flapping' | 'disabled', over: object = {}) => ({
  presence,
  presenceSince: since,
  lastSeenAt: since,
  ...over,
})

/** The worker with an account hub that answers with what was evaluated of the rows, and these transitions; hubs of networks do not answer. */
export function workerWith(
  transitions: HealthAnswer['transitions'] = [],
  problems: readonly PathProblem[] = [],
  unsupported: HealthAnswer['unsupported'] = {},
) {
  const fake = fakeHubs({
    'network.status': noAnswer,
    'account.health': (_hub: string, question: { networks: { hub: string; members: Record<string, number> }[] }) => ({
      summaries: Object.fromEntries(
        question.networks.map(({ hub, members }) => [hub, { ...summaryOf(members), problems }]),
      ),
      transitions,
      unsupported,
    }),
  })
  return { calls: fake.calls, worker: createTestWorker({ hubs: fake.hubs }) }
}

/** Any network with these states, whose first online member is a centre. */
export function summaryOf(counts: Record<string, number>) {
  const states = Object.entries(counts).flatMap(([name, n]) => Array.from({ length: n }, () => name))
  const members = states.map((name, n) => ({
    router_name: String(n),
    router_type: 1,
    member_type: n === 0 ? 'center' : 'point',
    presence: { state: name, since, last_seen: since, reason: '' },
    config: { state: 'applied', version: 1, applied_version: 1, reason: '', at: since },
  }))
  return evaluateNetwork(members as MemberView[], [] as LinkView[])
}

export const open = (caller: Caller | Awaited<ReturnType<typeof createSubAccount>>, worker = workerWith().worker) =>
  worker.call(overviewApi.info, {}, caller.token)

export const setLan = (routerId: number, segment: string) =>
  db
    .update(routerStates)
    .set({ interfaces: JSON.stringify([lanPort(segment, 0)]) })
    .where(eq(routerStates.routerId, routerId))
