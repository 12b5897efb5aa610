import { refuse } from '#contract/kernel/errors.ts'
import { profileFileName } from '#domain/client/profile.ts'
import { toStaticKey } from '#domain/client/static-key.ts'
import { compileDial } from '#domain/network/compile/dial.ts'
import { isSuspended } from '#domain/network/members/membership.ts'
import type { Ctx } from '#http/context.ts'
import type { FileReply } from '#http/file-reply.ts'
import { profileText, remotesOf } from '#outside/client-profile/openvpn.ts'
import { controlKey } from '#security/device-secrets.ts'
import { createDialToken } from '#security/dial-token.ts'
import { openNetworkSecret } from '#security/network-secret.ts'
import { type DiallingMember, requireDialled } from '../dialled-network.ts'

/* File of a profile: the rows behind it, their checks, and its text. */

/** Reads what a profile dials a network with. Refuses a network that needs the client program, or that is suspended. */
export async function requireFileDial(ctx: Ctx, owner: DiallingMember, networkNumber: string) {
  const { compiled, ...dialled } = await requireDialled(ctx, owner, networkNumber)
  if (isSuspended(dialled.network)) refuse('MEMBER_NETWORK_SUSPENDED')
  if (dialled.network.ciphers === 'sm') refuse('CLIENT_PROFILE_SM')
  const dial = compileDial(dialled.member.name, compiled)
  if (remotesOf(dial).length === 0) refuse('DIAL_NOT_READY')
  return { ...dialled, dial }
}

interface IssuedProfile {
  readonly id: number
  readonly deviceName: string
  readonly expiresAt: number
}

/** File of a profile of this member and network. Nothing keeps it: the answer is `no-store`. */
export async function profileFile(
  { env }: Ctx,
  { member, network, dial, ca }: Awaited<ReturnType<typeof requireFileDial>>,
  { id, deviceName, expiresAt }: IssuedProfile,
): Promise<FileReply> {
  const { id: memberId, credentialVersion, name } = member
  const claims = { memberId, credentialVersion, networkNumber: network.number, expiresAt, profileId: id }
  return {
    type: 'application/x-openvpn-profile',
    name: profileFileName(network.name, deviceName),
    body: profileText(dial, {
      ca,
      control: toStaticKey(controlKey(await openNetworkSecret(env.SEAL_KEYS, network))),
      name,
      token: await createDialToken(env.HMAC_SECRET, claims),
    }),
  }
}
