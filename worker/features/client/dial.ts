import type { clientApi } from '#contract/client/index.ts'
import { DIAL_TOKEN } from '#contract/client/limits.ts'
import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { refuse, throwIf } from '#contract/kernel/errors.ts'
import { batch } from '#db/batch.ts'
import { checkMember } from '#domain/client/member.ts'
import { compileDial } from '#domain/network/compile/dial.ts'
import { groupNetworkRows } from '#domain/network/compile/rows.ts'
import { documentStatements } from '#features/router/sql/document-rows.ts'
import { type Ctx, requireClient } from '#http/context.ts'
import { controlKey } from '#security/device-secrets.ts'
import { createDialToken } from '#security/dial-token.ts'
import { openNetworkSecret } from '#security/network-secret.ts'
import { selectCa, selectDialMember } from './sql/dials.ts'

/** Gives the signed-in member what it dials a network with, in one round trip. */
export async function issueDial(
  ctx: Ctx,
  { network_number: networkNumber }: Parsed<typeof clientApi.dial>,
): Promise<Output<typeof clientApi.dial>> {
  const { db, env, now } = ctx
  const { accountId, routerId } = requireClient(ctx)
  const { own, cas, ...rows } = await batch(db, {
    own: selectDialMember(db, accountId, routerId, now),
    cas: selectCa(db, accountId),
    ...documentStatements(db, routerId),
  })
  const member = own[0] ?? refuse('SESSION_REVOKED')
  throwIf(checkMember(member))
  const stored = rows.networks.find(({ number }) => number === networkNumber) ?? refuse('NETWORK_NOT_FOUND')
  const network =
    groupNetworkRows(rows).find((one) => one.networkNumber === networkNumber) ?? refuse('MEMBER_NETWORK_WITHDRAWN')
  const { certificate: ca } = cas[0] ?? refuse('DIAL_NOT_READY')
  const { credentialVersion } = member
  const claims = {
    memberId: routerId,
    credentialVersion,
    networkNumber,
    expiresAt: now + DIAL_TOKEN.validMs,
    profileId: null,
  }
  return {
    ...compileDial(member.name, network),
    router_name: member.name,
    token: await createDialToken(env.HMAC_SECRET, claims),
    token_expire_time: DIAL_TOKEN.validMs / 1000,
    ca,
    control_key: controlKey(await openNetworkSecret(env.SEAL_KEYS, stored)),
  }
}
