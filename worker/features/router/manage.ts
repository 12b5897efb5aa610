import type { Parsed, Output } from '#contract/kernel/endpoint.ts'
import { refuse, throwIf } from '#contract/kernel/errors.ts'
import { coversNetwork } from '#contract/kernel/permissions.ts'
import { type Violation, violation } from '#contract/kernel/result.ts'
import { auditRow, auditRows } from '#db/audit.ts'
import { type Results, batch } from '#db/batch.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { guardRouterRate, selectNetworksByRouter, selectRouterRows, updateRouter } from './sql/routers.ts'
import { checkRevision } from '#domain/network/history/stored-settings.ts'
import { type Ctx, requireSession, requireAccountId } from '#http/context.ts'
import { guardNoteRevision, setNote, updateNotes } from './sql/manage.ts'
import { requireRouterWithNetworks } from './require.ts'
import { setMemberStatus } from './service.ts'
import type { routerApi } from '#contract/router/index.ts'
import { ROUTER_RATE, ROUTER_TYPE } from '#contract/router/limits.ts'
import { recordUses, routerRateKey, selectFullWindows } from '#db/rate-limit.ts'
import { checkResend, findTotalRefusal, toBulkResult } from '#domain/router/actions.ts'

/* Changes of members, one or many: note, status (disable, enable), and resending of the configuration. */

type Api = typeof routerApi

const noteMessage = (name: string): string => `修改成员“${name}”的备注`
const resendMessage = (name: string): string => `重新下发成员“${name}”的配置`

/** Changes a note. No document changes, because a note is only displayed. */
export async function editNote(ctx: Ctx, { router_name, note, revision }: Parsed<Api['note']>): Promise<void> {
  const { db } = ctx
  const { grants } = requireSession(ctx)
  const { router, networks } = await requireRouterWithNetworks(ctx, router_name)
  if (!networks.every(({ number }) => coversNetwork(grants, number))) refuse('ROUTER_SHARED')
  throwIf(checkRevision(revision, router.noteRevision))
  await batch(db, {
    unchanged: revision !== undefined && guardNoteRevision(db, router, revision),
    note: updateRouter(db, router, setNote(note)),
    audit: auditRow(ctx, {
      module: 'router',
      action: 'note',
      target: router.name,
      message: noteMessage(router.name),
      before: { note: router.note },
      after: { note },
    }),
    hubs: notifyHubs(ctx, refreshTasks('network', networks)),
  })
}

/** Pushes the member's newest configuration again; an offline device gets it at its return. */
export async function resendRouter(ctx: Ctx, input: Parsed<Api['resend']>): Promise<void> {
  const { router, networks } = await requireRouterWithNetworks(ctx, input.router_name)
  const { name, hub, routerType } = router
  throwIf(checkResend(routerType, networks))
  await batch(ctx.db, {
    rate: guardRouterRate(ctx.db, requireSession(ctx), 'resend', name, ctx.now),
    audit: auditRow(ctx, {
      module: 'router',
      action: 'resend',
      target: name,
      message: resendMessage(name),
    }),
    hubs: notifyHubs(ctx, [{ kind: 'router', hub, op: 'resend' }]),
  })
}

export async function batchNote(ctx: Ctx, { note, ...input }: Parsed<Api['batchNote']>) {
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

/** Resends configurations. Each device has the rate of router/resend; those pushed just now are left out. */
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

type LoadedRouters = Results<ReturnType<typeof selectTargets>>
type Target = LoadedRouters['routers'][number] & { readonly networks: LoadedRouters['networks'] }

/** Targets that may be changed, and the problems of the others by their sent names. */
function planBulk(
  names: readonly string[],
  { routers, networks }: LoadedRouters,
  check: (target: Target) => Violation | null,
) {
  const byName = new Map(routers.map((router) => [router.name.toLowerCase(), router]))
  const problems = new Map<string, Violation>()
  const accepted = new Map<number, Target>() // by id, because a name may be sent in two spellings
  for (const name of names) {
    const router = byName.get(name.toLowerCase())
    const target = router && { ...router, networks: networks.filter(({ routerId }) => routerId === router.id) }
    const problem = target ? check(target) : violation('ROUTER_NOT_FOUND')
    if (problem) problems.set(name, problem)
    else if (target) accepted.set(target.id, target)
  }
  return { accepted: [...accepted.values()], problems }
}

/** Disables or enables the member by `status`. Without `status` the device reports everything now. */
export const updateStatus = (ctx: Ctx, input: Parsed<(typeof routerApi)['updateStatus']>): Promise<void> =>
  input.status === undefined
    ? requestReport(ctx, input.router_name)
    : setStatus(ctx, { routerName: input.router_name, status: input.status, isConfirmed: input.confirm === 1 })

async function requestReport(ctx: Ctx, name: string): Promise<void> {
  const { db, now } = ctx
  const scope = requireSession(ctx)
  const found = await batch(db, {
    rate: guardRouterRate(db, scope, 'status', name, now),
    routers: selectRouterRows(db, scope, name),
  })
  const router = found.routers[0] ?? refuse('ROUTER_NOT_FOUND')
  if (router.routerType !== ROUTER_TYPE.hardware) refuse('HARDWARE_ONLY')
  if (!(await ctx.hubs.router(router.hub).requestReport())) refuse('ROUTER_OFFLINE')
}

function setStatus(ctx: Ctx, change: { routerName: string; status: 0 | 1; isConfirmed: boolean }): Promise<void> {
  const scope = requireSession(ctx)
  const rate = guardRouterRate(ctx.db, scope, 'switch', change.routerName, ctx.now)
  return setMemberStatus(ctx, scope, { ...change, statements: { rate } })
}
