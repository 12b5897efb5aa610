import { CLIENT_PROFILE } from '#contract/client/limits.ts'
import type { clientApi } from '#contract/client/index.ts'
import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { DAY_MS } from '#contract/kernel/time.ts'
import { type AuditActor, auditRow } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { guardRate } from '#db/rate-limit.ts'
import { isProfileOpen, profileMessage, toProfileRow } from '#domain/client/profile.ts'
import { type Ctx, requireClient } from '#http/context.ts'
import type { FileReply } from '#http/file-reply.ts'
import { randomHex } from '#security/secrets.ts'
import { addProfile, revokeProfileWrites, selectOwnProfile, selectOwnProfiles } from '../sql/profiles.ts'
import { profileFile, requireFileDial } from './dial-file.ts'

/* Profiles of the signed-in member: list, a new one, revocation. */

type Api = typeof clientApi

export async function listProfiles(ctx: Ctx, input: Parsed<Api['profiles']>): Promise<Output<Api['profiles']>> {
  const rows = await selectOwnProfiles(ctx.db, requireClient(ctx), input.network_number)
  return rows.map((row) => toProfileRow(row, ctx.now))
}

/** The row comes before the file: its id is in the token, so that it can be revoked by itself. */
export async function createProfile(ctx: Ctx, input: Parsed<Api['createProfile']>): Promise<FileReply> {
  const { db, now } = ctx
  const owner = requireClient(ctx)
  const dialled = await requireFileDial(ctx, owner, input.network_number)
  const { member, network } = dialled
  const expiresAt = Math.floor((now + CLIENT_PROFILE.validDays * DAY_MS) / 1000) * 1000
  const profile = {
    ...owner,
    routerName: member.name,
    networkNumber: network.number,
    deviceName: input.device_name,
    credentialVersion: member.credentialVersion,
    expiresAt,
  }
  const named = { deviceName: input.device_name, networkName: network.name }
  const { added } = await batch(db, {
    rate: guardRate(db, `client_profile:${owner.routerId}`, CLIENT_PROFILE.rate, now),
    ...addProfile(ctx, profile),
    audit: auditRow(
      ctx,
      {
        module: 'client',
        action: 'create_profile',
        target: member.name,
        message: profileMessage(member.name, named, '已创建'),
        after: { network_number: network.number, device_name: input.device_name, expires_at: expiresAt },
      },
      actorOf(owner.accountId, member.name),
    ),
  })
  const [id] = added[0] ?? refuse('NETWORK_NOT_FOUND') // the member left it since
  return profileFile(ctx, dialled, { id, deviceName: input.device_name, expiresAt })
}

/** Profile of the caller that is open. */
export async function requireOpenProfile(ctx: Ctx, id: number) {
  const [profile] = await selectOwnProfile(ctx.db, requireClient(ctx), id)
  return profile && isProfileOpen(profile, ctx.now) ? profile : refuse('CLIENT_PROFILE_OVER')
}

export async function revokeProfile(ctx: Ctx, input: Parsed<Api['revokeProfile']>): Promise<void> {
  const profile = await requireOpenProfile(ctx, input.profile_id)
  const { accountId, memberName, networkNumber, deviceName } = profile
  await batch(ctx.db, {
    ...revokeProfileWrites(ctx, profile, randomHex(16)),
    audit: auditRow(
      ctx,
      {
        module: 'client',
        action: 'revoke_profile',
        target: memberName,
        message: profileMessage(memberName, profile, '已吊销'),
        after: { network_number: networkNumber, device_name: deviceName },
      },
      actorOf(accountId, memberName),
    ),
  })
}

/** A software member is no user of the console: its name stands for the actor. */
export const actorOf = (accountId: number, name: string): AuditActor => ({ accountId, kind: 'system', name })
