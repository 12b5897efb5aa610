import type { Context } from 'hono'
import { CLIENT_PROFILE } from '#contract/client/limits.ts'
import type { clientApi } from '#contract/client/index.ts'
import { PROFILE_LINK_PATH } from '#contract/client/profiles.ts'
import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { RESULT } from '#contract/kernel/result.ts'
import { MINUTE_MS } from '#contract/kernel/time.ts'
import { auditRow } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { guardRate } from '#db/rate-limit.ts'
import { isProfileOpen, profileMessage } from '#domain/client/profile.ts'
import { phoneLinkPage } from '#domain/client/phone-link-page.ts'
import { hostOfAccount, toConsoleOrigin } from '#domain/site/brand.ts'
import { answerFailure, answerPage } from '#http/answer.ts'
import type { Ctx, HonoEnv } from '#http/context.ts'
import { fileResponse } from '#http/file-reply.ts'
import { hmac, randomToken } from '#security/secrets.ts'
import { selectHost } from '../sql/members.ts'
import { consumeProfileLink, selectProfileByLink, setProfileLink } from '../sql/profiles.ts'
import { profileFile, requireFileDial } from './dial-file.ts'
import { actorOf, requireOpenProfile } from './profiles.ts'

/* Links by which another device of the person, a phone, gets the file of a profile once. */

type Api = typeof clientApi

/** Only the hash is stored. The secret is in the address alone, which no log contains. */
const linkHash = (secret: string, text: string): Promise<string> => hmac(secret, `profile-link:${text}`)

export async function linkProfile(ctx: Ctx, input: Parsed<Api['profileLink']>): Promise<Output<Api['profileLink']>> {
  const { db, env, now } = ctx
  const profile = await requireOpenProfile(ctx, input.profile_id)
  const { accountId, routerId, memberName, networkNumber, deviceName } = profile
  const secret = randomToken(32)
  const expiresAt = now + CLIENT_PROFILE.linkMinutes * MINUTE_MS
  const { hosts } = await batch(db, {
    rate: guardRate(db, `client_profile:${routerId}`, CLIENT_PROFILE.rate, now),
    link: setProfileLink(db, profile, await linkHash(env.HMAC_SECRET, secret), expiresAt),
    audit: auditRow(
      ctx,
      {
        module: 'client',
        action: 'profile_link',
        target: memberName,
        message: profileMessage(memberName, profile, '已生成下载链接'),
        after: { network_number: networkNumber, device_name: deviceName },
      },
      actorOf(accountId, memberName),
    ),
    hosts: selectHost(db, accountId),
  })
  const origin = toConsoleOrigin(hostOfAccount(hosts[0]?.host ?? ''), env.LOCAL_ORIGIN)
  return { url: `${origin}${PROFILE_LINK_PATH}${secret}`, expires_in: CLIENT_PROFILE.linkMinutes * 60 }
}

/**
 * Page behind a link. Its button posts to the same address, which answers the file to the first caller alone. A GET uses
 * nothing up: applications for chats open links for a preview.
 */
export async function profileLinkPage(c: Context<HonoEnv>): Promise<Response> {
  try {
    const linked = await requireLinked(c)
    return c.req.method === 'POST' ? await giveFile(c, linked) : answerPage(c, phoneLinkPage(linked.profile))
  } catch (error) {
    return answerFailure(c, TITLE, error)
  }
}

async function giveFile(
  c: Context<HonoEnv>,
  { profile, hash }: Awaited<ReturnType<typeof requireLinked>>,
): Promise<Response> {
  const ctx = c.get('ctx')
  const { accountId, memberName, networkNumber, deviceName } = profile
  const dialled = await requireFileDial(ctx, profile, networkNumber)
  const entry = {
    module: 'client',
    action: 'profile_download',
    target: memberName,
    message: profileMessage(memberName, profile, '已通过链接下载'),
    after: { network_number: networkNumber, device_name: deviceName },
  }
  await batch(ctx.db, {
    ...consumeProfileLink(ctx.db, profile, hash, ctx.now),
    audit: auditRow(ctx, entry, actorOf(accountId, memberName)),
  })
  c.set('code', RESULT.ok)
  return fileResponse(await profileFile(ctx, dialled, profile))
}

const TITLE = '下载接入配置'

async function requireLinked(c: Context<HonoEnv>) {
  const { db, now, env } = c.get('ctx')
  const hash = await linkHash(env.HMAC_SECRET, new URL(c.req.url).pathname.slice(PROFILE_LINK_PATH.length))
  const [profile] = await selectProfileByLink(db, hash, now)
  return profile && isProfileOpen(profile, now) ? { profile, hash } : refuse('CLIENT_LINK_BAD')
}
