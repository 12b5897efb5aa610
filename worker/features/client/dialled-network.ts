import { refuse, throwIf } from '#contract/kernel/errors.ts'
import { batch } from '#db/batch.ts'
import { checkMember } from '#domain/client/member.ts'
import { groupNetworkRows } from '#domain/network/compile/rows.ts'
import { documentStatements } from '#features/router/sql/document-rows.ts'
import type { Ctx } from '#http/context.ts'
import { selectCa, selectDialMember } from './sql/dials.ts'

/** Member that dials, and its account. */
export interface DiallingMember {
  readonly accountId: number
  readonly routerId: number
}

/** Reads what a member dials a network with, in one round trip. Refuses a member or a network that cannot. */
export async function requireDialled({ db, now }: Ctx, { accountId, routerId }: DiallingMember, networkNumber: string) {
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
  const { certificate: ca } = cas[0] ?? refuse('DIAL_NOT_READY')
  return { member, network, compiled, ca }
}
