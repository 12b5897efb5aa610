import type { NetworkColumns } from '../sql/write.ts'
import type { PointLink } from '#domain/network/members/pair-links.ts'
import { type SettingDiff, toDiffs, toWordNames, type DiffWords } from '#domain/network/history/history.ts'
import type { ShownSettings } from '#domain/network/history/setting-words.ts'
import { refuse } from '#contract/kernel/errors.ts'
import type { Parsed } from '#contract/kernel/endpoint.ts'
import type { networkApi } from '#contract/network/index.ts'
import { batch } from '#db/batch.ts'
import { type SettingValues, entriesOf } from '#domain/network/history/setting-change.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import type { LoadedNetwork } from '../settings.ts'
import { selectNetwork } from '../sql/networks.ts'
import { selectVersions } from '../sql/versions.ts'

/* Version history of a network: the list endpoint, and the differences that a write records. */

type Api = typeof networkApi

export async function listVersions(ctx: Ctx, input: Parsed<Api['versions']>) {
  const scope = requireSession(ctx)
  const { networks, versions } = await batch(ctx.db, {
    networks: selectNetwork(ctx.db, scope, input.network_number),
    versions: selectVersions(ctx.db, scope, input.network_number),
  })
  const network = networks[0] ?? refuse('NETWORK_NOT_FOUND')
  const data = versions.map(({ version, words, actorName, at }) => ({
    version,
    at,
    actor: actorName,
    changes: JSON.parse(words) as DiffWords[],
  }))
  return { data, revision: network.revision }
}

export interface Differing extends Pick<SettingValues, 'network' | 'members'> {
  readonly columns: Pick<NetworkColumns, 'name' | 'ciphers' | 'mode' | 'frId'>
  readonly pointLinks?: readonly PointLink[] | undefined
}

export function toChanges(loaded: LoadedNetwork, { columns, network: values, members, pointLinks }: Differing) {
  const { network, stored, storedOf } = loaded
  const names = toWordNames(loaded)
  const column = <K extends 'name' | 'ciphers' | 'fr'>(
    setting: K,
    before: ShownSettings[K],
    after: ShownSettings[K] | undefined,
  ) => (after === undefined ? [] : toColumnDiff(setting, before, after))
  const links = pointLinks && { routerId: null, before: loaded.pointLinks.map(toPlain), after: pointLinks.map(toPlain) }
  const fr = { mode: network.mode, frId: network.frId }
  const isFr = columns.mode !== undefined || columns.frId !== undefined
  return [
    ...column('name', network.name, columns.name),
    ...column('ciphers', network.ciphers, columns.ciphers),
    ...column('fr', fr, isFr ? { mode: columns.mode ?? fr.mode, frId: columns.frId ?? null } : undefined),
    ...entriesOf(values).flatMap(([kind, after]) =>
      kind === 'point_link'
        ? []
        : toDiffs(kind, [{ routerId: null, before: stored.values[kind], after } as never], names),
    ),
    ...entriesOf(members).flatMap(([kind, rows]) =>
      toDiffs(
        kind,
        rows.map(
          ({ routerId, value }) => ({ routerId, before: storedOf(routerId).values[kind], after: value }) as never,
        ),
        names,
      ),
    ),
    ...(links ? toDiffs('point_links', [links], names) : []),
  ]
}

const toPlain = ({ serverId, clientId, gateway, mask, staticPort, port, clientPort }: PointLink): PointLink => ({
  serverId,
  clientId,
  gateway,
  mask,
  staticPort,
  port,
  clientPort,
})

const NO_NAMES = toWordNames({ members: [], areas: [] })

/** Difference of a column; its words name no member. */
export const toColumnDiff = <K extends 'name' | 'ciphers' | 'fr'>(
  setting: K,
  before: ShownSettings[K],
  after: ShownSettings[K],
): readonly SettingDiff[] => toDiffs(setting, [{ routerId: null, before, after }], NO_NAMES)
