import type { clientApi } from '#contract/client/index.ts'
import type { Output } from '#contract/kernel/endpoint.ts'
import { refuse, toMessage } from '#contract/kernel/errors.ts'
import { violation } from '#contract/kernel/result.ts'
import { batch } from '#db/batch.ts'
import { documentStatements } from '#features/router/sql/document-rows.ts'
import { compareText } from '#contract/kernel/compare.ts'
import { groupNetworkRows } from '#domain/network/compile/rows.ts'
import { type Ctx, requireClient } from '#http/context.ts'
import { selectClientMember } from './sql/members.ts'
import { NETWORK_STATUS } from '#contract/network/limits.ts'
import { maskPhone } from '#domain/account/contact.ts'
import { compileDial } from '#domain/network/compile/dial.ts'

/* Profile of the signed-in client: its member, and the networks that it can dial. */

/** A suspended network can be dialled as long as its routers keep it. */
export async function readProfile(ctx: Ctx): Promise<Output<typeof clientApi.profile>> {
  const { accountId, routerId } = requireClient(ctx)
  const { own, ...rows } = await batch(ctx.db, {
    own: selectClientMember(ctx.db, accountId, routerId),
    ...documentStatements(ctx.db, routerId, { reach: true }),
  })
  const member = own[0] ?? refuse('SESSION_REVOKED')
  // secrets stay sealed: a dial document has no keys
  const compiled = new Map(groupNetworkRows(rows).map((network) => [network.networkNumber, network]))
  return {
    router_name: member.name,
    note: member.note,
    phone: maskPhone(member.areaCode, member.phone),
    networks: rows.networks
      .toSorted((a, b) => compareText(a.number, b.number))
      .map((network) => {
        const found = compiled.get(network.number)
        return {
          network_number: network.number,
          network_name: network.name,
          network_status: network.status,
          msg: stateSentence(network),
          dial: found ? compileDial(member.name, found) : null,
        }
      }),
  }
}

function stateSentence({ status, withdrawn }: { readonly status: number; readonly withdrawn: number }): string {
  if (withdrawn !== 0) return toMessage(violation('MEMBER_NETWORK_WITHDRAWN'))
  return status === NETWORK_STATUS.normal ? '' : toMessage(violation('MEMBER_NETWORK_SUSPENDED'))
}
