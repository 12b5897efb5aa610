import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { throwIf } from '#contract/kernel/errors.ts'
import { coversNetwork } from '#contract/kernel/permissions.ts'
import { type Violation, violation } from '#contract/kernel/result.ts'
import { auditRows } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { recordUses, routerRateKey, selectFullWindows } from '#db/rate-limit.ts'
import { selectNetworksByRouter, selectRouterRows } from './sql/routers.ts'
import { findTotalRefusal, toBulkResult } from '#domain/router/bulk.ts'
import { checkResend } from '#domain/router/resend.ts'
import { type Ctx, requireAccountId, requireSession } from '#http/context.ts'
import { noteMessage, resendMessage } from './manage.ts'
import { updateNotes } from './sql/manage.ts'
import type { routerApi } from '#contract/router/index.ts'
import { ROUTER_RATE } from '#contract/router/limits.ts'

type Api = typeof routerApi

/** Sets one note for several members. */
export async function batchNote(
  ctx: Ctx,
  { note, ...input }: Parsed<Api['batchNote']>,
): Promise<Output<Api['batchNote']>> {
  const { db } = ctx
  const { grants, accountId } = requireSession(ctx)
  const names = [...new Set(input.router_name)]
  const { accepted, problems } = planBulk(names, await batch(db, selectTargets(ctx, names)), ({ networks }) =>
    networks.every(({ number }) => coversNetwork(grants, number)) ? null : violation('ROUTER_SHARED'),
  )
  throwIf(findTotalRefusal(names, problems))
  const ids = accepted.map(({ id }) => id)
  const hubs = new Set(accepted.flatMap(({ networks }) => networks.map(({ hub }) => hub)))
  await batch(db, {
    notes: updateNotes(db, accountId, ids, note),
    audit: auditRows(
      ctx,
      accepted.map((router) => ({
        module: 'router',
        action: 'batch_note',
        target: router.name,
        message: noteMessage(router.name),
        before: { note: router.note },
        after: { note },
      })),
    ),
    hubs: notifyHubs(ctx, refreshTasks('network', [...hubs])),
  })
  return toBulkResult(names, problems)
}

/** Resends configurations, each device at the rate of router/resend; those pushed just now are left out. */
export async function batchResend(ctx: Ctx, input: Parsed<Api['batchResend']>): Promise<Output<Api['batchResend']>> {
  const { db, now } = ctx
  const names = [...new Set(input.router_name)]
  const keyOf = (name: string) => routerRateKey('resend', requireAccountId(ctx), name)
  const { full, ...found } = await batch(db, {
    ...selectTargets(ctx, names),
    full: selectFullWindows(db, names.map(keyOf), ROUTER_RATE, now),
  })
  const ends = new Map(full.map(({ key, windowEnd }) => [key, windowEnd]))
  const { accepted, problems } = planBulk(names, found, ({ name, routerType, networks }) => {
    const end = ends.get(keyOf(name))
    const isFull = end === undefined ? null : violation('TOO_OFTEN', { retry_after: Math.ceil((end - now) / 1000) })
    return checkResend(routerType, networks) ?? isFull
  })
  throwIf(findTotalRefusal(names, problems))
  await batch(db, {
    rate: recordUses(
      db,
      accepted.map(({ name }) => keyOf(name)),
      ROUTER_RATE,
      now,
    ),
    audit: auditRows(
      ctx,
      accepted.map(({ name }) => ({
        module: 'router',
        action: 'batch_resend',
        target: name,
        message: resendMessage(name),
      })),
    ),
    hubs: notifyHubs(
      ctx,
      accepted.map(({ hub }) => ({ kind: 'router', hub, op: 'resend' })),
    ),
  })
  return toBulkResult(names, problems)
}

const selectTargets = (ctx: Ctx, names: readonly string[]) => ({
  routers: selectRouterRows(ctx.db, requireSession(ctx), ...names),
  networks: selectNetworksByRouter(ctx.db, requireSession(ctx), ...names),
})

interface LoadedRouters {
  readonly routers: Awaited<ReturnType<typeof selectRouterRows>>
  readonly networks: Awaited<ReturnType<typeof selectNetworksByRouter>>
}
type Target = LoadedRouters['routers'][number] & { readonly networks: LoadedRouters['networks'] }

/** Targets that may be changed, and why the others may not, by their names as they were sent. */
function planBulk(
  names: readonly string[],
  { routers, networks }: LoadedRouters,
  check: (target: Target) => Violation | null,
) {
  const byName = new Map(routers.map((router) => [router.name.toLowerCase(), router]))
  const problems = new Map<string, Violation>()
  const accepted = new Map<number, Target>() // two spellings of one name
  for (const name of names) {
    const router = byName.get(name.toLowerCase())
    const target = router && { ...router, networks: networks.filter(({ routerId }) => routerId === router.id) }
    const problem = target ? check(target) : violation('ROUTER_NOT_FOUND')
    if (problem) problems.set(name, problem)
    else if (target) accepted.set(target.id, target)
  }
  return { accepted: [...accepted.values()], problems }
}
