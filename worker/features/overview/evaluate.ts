import type { AttentionRow, NetworkHealth, NetworkSummary } from '#contract/kernel/health.ts'
import { refuse } from '#contract/kernel/errors.ts'
import type { FailingChannel, HealthAnswer } from '#contract/kernel/hubs.ts'
import type { Overview } from '#contract/overview/index.ts'
import { type Results, batch } from '#db/batch.ts'
import type { AttentionMember, AttentionNetwork } from '#domain/health/attention-facts.ts'
import { listAttention } from '#domain/health/attention.ts'
import { withHandler } from '#domain/health/handling.ts'
import type { InboxFacts } from '#domain/health/inbox.ts'
import { countStates } from '#domain/health/member.ts'
import { evaluateNetwork } from '#domain/health/network.ts'
import { contractOf, withSuspension } from '#domain/health/suspension.ts'
import { UNSUPPORTED_KEYS } from '#domain/network/compile/device-settings.ts'
import { memberOverlaps } from '#domain/network/addresses/member-segments.ts'
import { isWithdrawn } from '#domain/network/members/membership.ts'
import { isReminded } from '#domain/account/service.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { toCertificateTrouble } from '#features/router/sql/certificate-trouble.ts'
import { readHealth } from '#features/network/service.ts'
import { type OverviewNetwork, type OverviewRouter, toOverviewRows } from './rows.ts'
import { seesChannels, selectOverview } from './sql.ts'

/* Health of the networks and members that the caller sees, and the rows that need attention. */

export interface EvaluatedNetwork extends OverviewNetwork, NetworkSummary {
  /** Health with the contract. Causes of faults follow from `health`, which is of the devices alone. */
  readonly shown: NetworkHealth
}
type Account = Results<ReturnType<typeof selectOverview>>['accounts'][number]

export interface EvaluatedOverview {
  readonly account: Account
  /** Services of the whole account, the first to end first; empty for a role that is limited to networks. */
  readonly services: readonly { readonly name: string; readonly expireAt: number }[]
  readonly networks: readonly EvaluatedNetwork[]
  readonly routers: readonly OverviewRouter[]
  readonly members: readonly AttentionMember[]
  readonly facts: readonly AttentionNetwork[]
  readonly attention: readonly AttentionRow[]
  /** Transitions of the members that the caller sees, newest first. */
  readonly moves: readonly Move[]
  /** Null: the account's hub did not answer, and only the rows decide. */
  readonly answer: HealthAnswer | null
}

/** One read of the rows and one call of the account's hub, which asks networks whose summaries do not fit the rows. */
export async function evaluateOverview(ctx: Ctx, since: number): Promise<EvaluatedOverview> {
  const { db, now } = ctx
  const session = requireSession(ctx)
  const found = await batch(db, selectOverview(db, session, now))
  const account = found.accounts[0] ?? refuse('SESSION_REVOKED')
  const { networks, routers } = toOverviewRows(found)
  const questions = networks.map(({ hub, revision, members }) => ({ hub, revision, members: countStates(members) }))
  const answer = await readHealth(ctx, account.hub, { networks: questions, since })
  const evaluated = networks.map((network): EvaluatedNetwork => {
    const summary = toSummary(network, answer)
    return { ...network, ...summary, shown: withSuspension(summary.health, contractOf(network)) }
  })
  // A limited role sees only its networks, and buys nothing.
  const isWhole = session.grants.networks === null
  const services = isWhole ? found.services : []
  const members = routers.map((router) => toAttentionMember(router, answer?.unsupported[router.hub] ?? []))
  const facts = evaluated.map(toAttentionNetwork)
  const rows = listAttention(
    {
      members,
      networks: facts,
      services: services.filter((service) => isReminded(service, now)),
      quotas: isWhole ? quotasOf(account) : [],
      inbox: toInbox(found, (seesChannels(session) && answer?.channels) || []),
    },
    now,
  )
  const { handlers } = found
  const alerts = answer?.alerts ?? []
  const attention = rows.map((row) => withHandler(row, { alerts, handlers, now }))
  const moves = toMoves(answer, routers)
  return { account, services, networks: evaluated, routers, members, facts, attention, moves, answer }
}

export type Move = HealthAnswer['transitions'][number] & { readonly router: OverviewRouter }

function toMoves(answer: HealthAnswer | null, routers: readonly OverviewRouter[]): readonly Move[] {
  const byHub = new Map(routers.map((router) => [router.hub, router]))
  return (answer?.transitions ?? []).flatMap((move) => {
    const router = byHub.get(move.routerHub)
    return router ? [{ ...move, router }] : []
  })
}

export const toChange = ({ router: { router_name, note }, ...move }: Move): Overview['changes'][number] => ({
  ...move,
  router_name,
  note,
})

function toInbox(
  { runs = [], ended = [], contacts = [], saas, certificates, tickets }: Results<ReturnType<typeof selectOverview>>,
  channels: readonly FailingChannel[],
): InboxFacts {
  const [run] = runs
  const isTrouble = run !== undefined && run.state !== 'done'
  return {
    directory: isTrouble
      ? { state: run.state === 'asking' ? 'asking' : 'failed', failure: run.failure, at: run.endedAt }
      : null,
    ended,
    channels,
    contacts: contacts.flatMap(({ expiresAt, ...contact }) => (expiresAt === null ? [] : [{ ...contact, expiresAt }])),
    saas: saas.map(({ note, ...device }) => ({ ...device, label: note || device.routerName })),
    certificates: certificates.map(toCertificateTrouble),
    tickets,
  }
}

/** Summary of a network. Without one from its hub only the rows decide, and links are unknown. */
const toSummary = (network: OverviewNetwork, answer: HealthAnswer | null): NetworkSummary =>
  answer?.summaries[network.hub] ?? evaluateNetwork(network.members, [], { isWithdrawn: isWithdrawn(network) })

/** Member for the attention list. The hub may hold setting keys of another release; unknown ones are left out. */
const toAttentionMember = (router: OverviewRouter, unsupported: readonly string[]): AttentionMember => ({
  ...router,
  routerName: router.router_name,
  unsupported: UNSUPPORTED_KEYS.filter((key) => unsupported.includes(key)),
})

const toAttentionNetwork = (network: EvaluatedNetwork): AttentionNetwork => ({
  ...network,
  ...contractOf(network),
  overlaps: memberOverlaps(network.inside, network.neighbors),
})

/** Quotas of the whole account. Centres have a limit in each network, bandwidth has none yet. */
const quotasOf = (account: Account) => [
  { name: '组网席位', used: account.seatsUsed, total: account.seats },
  { name: '软件成员', used: account.softwareUsed, total: account.software },
  { name: '子账号', used: account.subAccountsUsed, total: account.subAccounts },
]
