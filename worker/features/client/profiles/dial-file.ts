import { refuse, throwIf } from '#contract/kernel/errors.ts'
import { batch } from '#db/batch.ts'
import { checkMember } from '#domain/client/member.ts'
import { profileFileName } from '#domain/client/profile.ts'
import { toStaticKey } from '#domain/client/static-key.ts'
import { compileDial } from '#domain/network/compile/dial.ts'
import { groupNetworkRows } from '#domain/network/compile/rows.ts'
import { isSuspended } from '#domain/network/members/membership.ts'
import { documentStatements } from '#features/router/sql/document-rows.ts'
import type { Ctx } from '#http/context.ts'
import type { FileReply } from '#http/file-reply.ts'
import { profileText, remotesOf } from '#outside/client-profile/openvpn.ts'
import { controlKey } from '#security/device-secrets.ts'
import { createDialToken } from '#security/dial-token.ts'
import { openNetworkSecret } from '#security/network-secret.ts'
import { selectCa, selectDialMember } from '../sql/dials.ts'

/* File of a profile: the rows behind it, their checks, and its text. */

/** Member that dials, and its account. */
interface Owner {
  readonly accountId: number
  readonly routerId: number
}

/** Reads what a member dials a network with, in one round trip. Refuses a network that no profile can dial. */
export async function requireDialled(ctx: Ctx, { accountId, routerId }: Owner, networkNumber: string) {
  const { db, now } = ctx
  const { own, cas, ...rows } = await batch(db, {
    own: selectDialMember(db, accountId, routerId, now),
    cas: selectCa(db, accountId),
    ...documentStatements(db, routerId),
  })
  const member = own[0] ?? refuse('SESSION_REVOKED')
  throwIf(checkMember(member))
  const network = rows.networks.find(({ number }) => number === networkNumber) ?? refuse('NETWORK_NOT_FOUND')
  const compiled =
    groupNetworkRows(rows).find((one) => one.networkNumber === networkNumber) ?? refuse('MEMBER_NETWORK_WITHDRAWN')
  if (isSuspended(network)) refuse('MEMBER_NETWORK_SUSPENDED')
  if (network.ciphers === 'sm') refuse('CLIENT_PROFILE_SM')
  const dial = compileDial(member.name, compiled)
  const { certificate: ca } = cas[0] ?? refuse('DIAL_NOT_READY')
  if (remotesOf(dial).length === 0) refuse('DIAL_NOT_READY')
  return { member, network, dial, ca }
}

interface IssuedProfile {
  readonly id: number
  readonly deviceName: string
  readonly expiresAt: number
}

/** File of a profile of this member and network. Nothing keeps it: the answer is `no-store`. */
export async function profileFile(
  { env }: Ctx,
  { member, network, dial, ca }: Awaited<ReturnType<typeof requireDialled>>,
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
