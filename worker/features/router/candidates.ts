import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { toWireBoolean } from '#contract/kernel/fields.ts'
import type { routerApi } from '#contract/router/index.ts'
import { ROUTER_TYPE, type RouterType } from '#contract/router/limits.ts'
import type { candidate } from '#contract/router/views.ts'
import { batch } from '#db/batch.ts'
import { isOnline, NO_MEMBERS, sumStates } from '#domain/health/member.ts'
import { withStaticRoutes } from '#domain/network/addresses/member-segments.ts'
import { parseSegments, toNetworks } from '#domain/router/interfaces.ts'
import { toPresenceView } from '#domain/router/presence.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { parseNetworks } from './read.ts'
import { selectCandidateCounts, selectCandidatePage, selectChoices } from './sql/candidates.ts'

/* Members that may be chosen for a network: one page of a search, and members by name. */

type Api = typeof routerApi
type Candidate = typeof candidate._output
type Row = Awaited<ReturnType<typeof selectCandidatePage>>[number]

export async function listCandidates(ctx: Ctx, { page, limit, ...filter }: Parsed<Api['member']>) {
  const scope = requireSession(ctx)
  const { rows, counts } = await batch(ctx.db, {
    rows: selectCandidatePage(ctx.db, scope, filter, { page, limit }),
    counts: selectCandidateCounts(ctx.db, scope, filter),
  })
  const statesOf = (type: RouterType) => ({
    ...NO_MEMBERS,
    ...Object.fromEntries(counts.filter((row) => row.router_type === type).map(({ state, count }) => [state, count])),
  })
  const [hardware, software] = [statesOf(ROUTER_TYPE.hardware), statesOf(ROUTER_TYPE.software)]
  const states = filter.kind === 'hardware' ? hardware : filter.kind === 'software' ? software : sum(hardware, software)
  return {
    data: byKind(rows),
    count: filter.state === '' ? sumStates(states) : states[filter.state],
    kinds: { hardware: sumStates(hardware), software: sumStates(software) },
    states,
  }
}

type States = typeof NO_MEMBERS

const sum = (a: States, b: States): States => {
  const states = { ...a }
  for (const state in b) states[state as keyof States] += b[state as keyof States]
  return states
}

export async function findCandidates(
  ctx: Ctx,
  { router_name, network_number }: Parsed<Api['choices']>,
): Promise<Output<Api['choices']>> {
  const rows = await selectChoices(ctx.db, requireSession(ctx), router_name, network_number)
  if (router_name.length > 0 && rows.length === 0) return refuse('ROUTER_NOT_FOUND')
  const known = new Set(rows.flatMap((row) => spellings(row.router_name)))
  return { ...byKind(rows), unknown: router_name.filter((name) => !known.has(name.toLowerCase())) }
}

/** Texts that name a member: its name, and that of an account without the suffix. */
const spellings = (name: string): readonly string[] => [name.toLowerCase(), name.toLowerCase().split('@')[0] ?? '']

const byKind = (rows: readonly Row[]): { readonly router: Candidate[]; readonly app: Candidate[] } => ({
  router: rows.filter((row) => row.router_type === ROUTER_TYPE.hardware).map(toCandidate),
  app: rows.filter((row) => row.router_type === ROUTER_TYPE.software).map(toCandidate),
})

function toCandidate(row: Row): Candidate {
  const presence = toPresenceView(row.state)
  const { lans, wans } = parseSegments(row.segments)
  return {
    router_name: row.router_name,
    note: row.note,
    online: toWireBoolean(isOnline(presence)),
    presence,
    networks: parseNetworks<Candidate['networks'][number]>(row.networks),
    lan: toNetworks(withStaticRoutes(lans, row.staticRoutes)),
    wan: [...wans],
  }
}
