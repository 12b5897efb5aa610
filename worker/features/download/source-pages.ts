import type { Context } from 'hono'
import { SOURCE_PAGE_PATH } from '#contract/auth-source/limits.ts'
import { sourceCode } from '#contract/auth-source/index.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { guardStarts, selectCodeOwner } from '#features/auth-source/sql.ts'
import { batch } from '#db/batch.ts'
import { sourcePage, installScript } from '#domain/download/source-pages.ts'
import { hostOfAccount, toConsoleOrigin } from '#domain/site/brand.ts'
import { answerFailure, answerPage } from '#http/answer.ts'
import type { Ctx, HonoEnv } from '#http/context.ts'
import { listVersions } from './versions.ts'

/* Download page that an account shares by its source ID (`/c/…`), and the install script of the command line client. */

/** Page of `/c/K7Q2-9XTM`: downloads whose file names carry the source ID. */
export async function showSourcePage(c: Context<HonoEnv>): Promise<Response> {
  const ctx = c.get('ctx')
  try {
    const code = sourceCode.safeParse(c.req.path.slice(SOURCE_PAGE_PATH.length)).data ?? refuse('AUTH_CODE_UNKNOWN')
    const origin = await requireOrigin(ctx, code)
    return answerPage(c, sourcePage(await listVersions(ctx), { code, origin }))
  } catch (error) {
    return answerFailure(c, '下载客户端', error)
  }
}

/** Origin of the account's console. The customer's own domain serves no files. */
async function requireOrigin(ctx: Ctx, code: string): Promise<string> {
  const { db, now, env } = ctx
  const { owners } = await batch(db, { ...guardStarts(db, ctx, now), owners: selectCodeOwner(db, code) })
  const owner = owners[0] ?? refuse('AUTH_CODE_UNKNOWN')
  if (owner.status !== 1) return refuse('AUTH_CODE_UNKNOWN')
  if (owner.isOn !== 1) return refuse('AUTH_SOURCE_OFF')
  return toConsoleOrigin(hostOfAccount(owner.host), env.LOCAL_ORIGIN)
}

/** Install script of the newest command line build in one file for Node.js, of any distribution. */
export async function showInstallScript(c: Context<HonoEnv>): Promise<Response> {
  const { linux } = await listVersions(c.get('ctx'))
  const build = Object.values(linux.command).find((found) => found?.name.endsWith('.mjs')) ?? null
  c.header('content-type', 'text/x-shellscript; charset=utf-8')
  return c.body(installScript(new URL(c.req.url).origin, build))
}
