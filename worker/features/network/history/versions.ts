import { refuse } from '#contract/kernel/errors.ts'
import type { Extra, Output, Parsed } from '#contract/kernel/endpoint.ts'
import { batch } from '#db/batch.ts'
import { selectVersions } from '../sql/versions.ts'
import type { DiffWords } from '#domain/network/history/history.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { selectNetwork } from '../sql/networks.ts'
import type { networkApi } from '#contract/network/index.ts'

type Api = typeof networkApi

export async function listVersions(
  ctx: Ctx,
  input: Parsed<Api['versions']>,
): Promise<{ data: Output<Api['versions']> } & Extra<Api['versions']>> {
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
