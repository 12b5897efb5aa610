import type { clientApi } from '#contract/client/index.ts'
import { DIAL_TOKEN } from '#contract/client/limits.ts'
import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { compileDial } from '#domain/network/compile/dial.ts'
import { type Ctx, requireClient } from '#http/context.ts'
import { controlKey } from '#security/device-secrets.ts'
import { createDialToken } from '#security/dial-token.ts'
import { openNetworkSecret } from '#security/network-secret.ts'
import { requireDialled } from './dialled-network.ts'

/** Gives the signed-in member what it dials a network with, in one round trip. */
export async function issueDial(
  ctx: Ctx,
  { network_number: networkNumber }: Parsed<typeof clientApi.dial>,
): Promise<Output<typeof clientApi.dial>> {
  const { env, now } = ctx
  const owner = requireClient(ctx)
  const { member, network, compiled, ca } = await requireDialled(ctx, owner, networkNumber)
  const { credentialVersion } = member
  const claims = {
    memberId: owner.routerId,
    credentialVersion,
    networkNumber,
    expiresAt: now + DIAL_TOKEN.validMs,
    profileId: null,
  }
  return {
    ...compileDial(member.name, compiled),
    router_name: member.name,
    token: await createDialToken(env.HMAC_SECRET, claims),
    token_expire_time: DIAL_TOKEN.validMs / 1000,
    ca,
    control_key: controlKey(await openNetworkSecret(env.SEAL_KEYS, network)),
  }
}
