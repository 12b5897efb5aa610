import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { refuse } from '#contract/kernel/errors.ts'
import type { routerApi } from '#contract/router/index.ts'
import { auditRow } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { isProfileOpen, profileMessage, toProfileRow } from '#domain/client/profile.ts'
import { revokeProfileWrites, selectProfilesOfMember } from '#features/client/sql/profiles.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { randomHex } from '#security/secrets.ts'
import { selectRouterRows } from './sql/routers.ts'

/* Profiles of a software member, for its account: list and revocation. */

type Api = typeof routerApi

async function requireProfiles(ctx: Ctx, name: string) {
  const scope = requireSession(ctx)
  const { routers, profiles } = await batch(ctx.db, {
    routers: selectRouterRows(ctx.db, scope, name),
    profiles: selectProfilesOfMember(ctx.db, scope, name),
  })
  return routers.length === 0 ? refuse('ROUTER_NOT_FOUND') : profiles
}

export async function listMemberProfiles(ctx: Ctx, input: Parsed<Api['profiles']>): Promise<Output<Api['profiles']>> {
  const profiles = await requireProfiles(ctx, input.router_name)
  return profiles.map((profile) => toProfileRow(profile, ctx.now))
}

export async function revokeMemberProfile(ctx: Ctx, input: Parsed<Api['revokeProfile']>): Promise<void> {
  const found = (await requireProfiles(ctx, input.router_name)).find(({ id }) => id === input.profile_id)
  const profile = found && isProfileOpen(found, ctx.now) ? found : refuse('CLIENT_PROFILE_OVER')
  const { memberName, networkNumber, deviceName } = profile
  await batch(ctx.db, {
    ...revokeProfileWrites(ctx, profile, randomHex(16)),
    audit: auditRow(ctx, {
      module: 'router',
      action: 'revoke_profile',
      target: memberName,
      message: profileMessage(memberName, profile, '已吊销'),
      after: { network_number: networkNumber, device_name: deviceName },
    }),
  })
}
