import { AUTH_SOURCE, SOURCE_PAGE_PATH } from '#contract/auth-source/limits.ts'
import { AUTH_SOURCE_TYPES, type AuthSourceRow, type authSourceApi } from '#contract/auth-source/index.ts'
import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { selectAccountHost } from '#features/account/sql/accounts.ts'
import { guardAuthSources, type StoredSource, insertCode, selectCode, selectSource, selectSources } from './sql.ts'
import { batch } from '#db/batch.ts'
import { formatSourceCode } from '#domain/auth-source/source.ts'
import { vendorPlace } from '#domain/auth-source/vendor-place.ts'
import { hostOfAccount, toConsoleOrigin } from '#domain/site/brand.ts'
import { type Ctx, requireAccountId } from '#http/context.ts'
import { newSourceCode } from '#security/auth-source.ts'

/* Authentication sources (认证源) of an account: their list, one of them, and the account's source ID. */

type Api = typeof authSourceApi
type AccountHost = Awaited<ReturnType<typeof selectAccountHost>>

/** Origin to which vendors send the browsers of the account's people. */
const toOrigin = ({ env }: Ctx, [account]: AccountHost): string =>
  toConsoleOrigin(hostOfAccount(account?.host ?? ''), env.LOCAL_ORIGIN)

/** The account's source ID, drawn at the first call. An ID that another account has is drawn again (one of 2^40). */
export async function readCode(ctx: Ctx): Promise<Output<Api['code']>> {
  const { db, now, env } = ctx
  const accountId = requireAccountId(ctx)
  for (;;) {
    const { codes, hosts } = await batch(db, {
      isOn: guardAuthSources(db, accountId),
      made: insertCode(db, accountId, newSourceCode(), now),
      codes: selectCode(db, accountId),
      hosts: selectAccountHost(db, accountId),
    })
    const code = codes[0]?.code
    if (code === undefined) continue
    const origin = toOrigin(ctx, hosts)
    const place = vendorPlace(env, origin, '')
    const shown = formatSourceCode(code)
    return {
      code: shown,
      page: `${origin}${SOURCE_PAGE_PATH}${shown}`,
      config: { type: [...AUTH_SOURCE_TYPES], default: { wechat: place, feishu: place, dingtalk: place } },
    }
  }
}

export async function listSources(ctx: Ctx) {
  const data = await readRows(ctx, selectSources(ctx.db, requireAccountId(ctx)))
  return { data, count: data.length, max: AUTH_SOURCE.max }
}

export async function readSource(ctx: Ctx, { id }: Parsed<Api['info']>): Promise<AuthSourceRow> {
  const [row] = await readRows(ctx, selectSource(ctx.db, requireAccountId(ctx), id))
  return row ?? refuse('AUTH_SOURCE_NOT_FOUND')
}

async function readRows(ctx: Ctx, selected: ReturnType<typeof selectSources> | ReturnType<typeof selectSource>) {
  const { db } = ctx
  const accountId = requireAccountId(ctx)
  const { rows, hosts } = await batch(db, {
    isOn: guardAuthSources(db, accountId),
    rows: selected,
    hosts: selectAccountHost(db, accountId),
  })
  const origin = toOrigin(ctx, hosts)
  return rows.map((row) => toRow(ctx, origin, row))
}

const toRow = ({ env }: Ctx, origin: string, row: StoredSource): AuthSourceRow => ({
  id: row.id,
  type: row.type,
  name: row.name,
  app_id: row.appId,
  agent_id: row.agentId,
  corp_id: row.corpId,
  ...vendorPlace(env, origin, row.authDomain),
  own_domain: row.authDomain === '' ? 0 : 1,
  file_name: row.fileName,
  status: row.status,
  create_time: row.createdAt,
  update_time: row.updatedAt,
})
