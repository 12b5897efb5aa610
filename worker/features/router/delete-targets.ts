import { coversNetwork } from '#contract/kernel/permissions.ts'
import { batch } from '#db/batch.ts'
import { selectSettingsAround, selectLinksOfRouters } from '#features/network/sql/settings.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { withSuffix } from './sql/add.ts'
import type { RouterNames } from './sql/names.ts'
import { selectNetworksByRouter, selectMembersOfNetworksWith, selectRouterRows } from './sql/routers.ts'

export interface NamedMembers {
  /** Names of the members, each once. */
  readonly names: readonly string[]
  /** Software members of a file: a name without a suffix has the account's, and case does not matter. */
  readonly isOfFile?: boolean
}

type Read = Awaited<ReturnType<typeof readTargets>>
/** A member that is to go. */
export type Target = Read['targets'][number]
export type Peer = Awaited<ReturnType<typeof selectMembersOfNetworksWith>>[number]

/** Members in the order of their names, each with the name that was typed for it. */
export async function readTargets(ctx: Ctx, { names, isOfFile = false }: NamedMembers) {
  const scope = requireSession(ctx)
  const named: RouterNames = isOfFile ? [withSuffix(scope.accountId, names)] : names
  const { routers, memberships, peers, settings, pointLinks } = await batch(ctx.db, {
    routers: selectRouterRows(ctx.db, scope, ...named),
    memberships: selectNetworksByRouter(ctx.db, scope, ...named),
    peers: selectMembersOfNetworksWith(ctx.db, scope, ...named),
    settings: selectSettingsAround(ctx.db, scope.accountId, named),
    pointLinks: selectLinksOfRouters(ctx.db, scope.accountId, named),
  })
  const byName = new Map(
    routers.flatMap((router) => listKeys(router.name, isOfFile).map((key) => [key, router] as const)),
  )
  const seen = new Set<number>()
  const repeated: string[] = [] // another spelling of a name before it
  const found = names.map((typed) => ({ typed, router: byName.get(isOfFile ? typed.toLowerCase() : typed) }))
  const targets = found.flatMap(({ typed, router }) => {
    if (!router) return []
    if (seen.has(router.id)) {
      repeated.push(typed)
      return []
    }
    seen.add(router.id)
    const networks = memberships.filter(({ routerId }) => routerId === router.id)
    return [
      { ...router, typed, networks, isCovered: networks.every(({ number }) => coversNetwork(scope.grants, number)) },
    ]
  })
  const missing = found.filter(({ router }) => !router).map(({ typed }) => typed)
  return { targets, missing, repeated, peers, settings, pointLinks }
}

/** Spellings of a name in a file: with the account's suffix or without. */
const listKeys = (name: string, isOfFile: boolean): readonly string[] =>
  isOfFile ? [name.toLowerCase(), name.toLowerCase().replace(/@.*$/s, '')] : [name]

/** Rows that a deletion reads besides its members. */
export type DeletionContext = Omit<Read, 'targets' | 'missing' | 'repeated'>
