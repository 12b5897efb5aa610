import { refuse } from '#contract/kernel/errors.ts'
import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { NO_PATHS, sumPaths } from '#domain/health/paths.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { readPaths } from '#features/network/service.ts'
import { selectRouterNetworks } from './sql/lists.ts'
import type { routerApi } from '#contract/router/index.ts'

type Api = typeof routerApi

/** One read of the rows and one call to the account's hub, to which the networks push the paths of their members. */
export async function listRouterPaths(ctx: Ctx, input: Parsed<Api['paths']>): Promise<Output<Api['paths']>> {
  const rows = await selectRouterNetworks(ctx.db, requireSession(ctx), input.router_name)
  const [first] = rows
  if (!first) return refuse('ROUTER_NOT_FOUND')
  const hubs = [...new Set(rows.flatMap(({ networkHub }) => networkHub ?? []))]
  const known = hubs.length === 0 ? {} : await readPaths(ctx, first.accountHub, hubs, input.router_name)
  const names = [...new Set(rows.map(({ name }) => name))]
  return Object.fromEntries(
    names.map((name) => {
      const own = rows.flatMap((row) => (row.name === name && row.networkHub !== null ? [row.networkHub] : []))
      const isKnown = known !== null && own.every((hub) => hub in known)
      return [name, isKnown ? sumPaths(own.map((hub) => known[hub]?.[name] ?? NO_PATHS)) : null]
    }),
  )
}
