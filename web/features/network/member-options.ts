import type { Output } from '../../../worker/contract/endpoint.ts'
import { ROUTER_TYPE } from '../../../worker/contract/limits.ts'
import type { routerApi } from '../../../worker/contract/router.ts'
import { memberLabel } from '../../lib/member-label.ts'
import type { MemberOption } from './picker.ts'
import type { Member } from './projection.ts'

type Offered = Output<typeof routerApi.member>

const byLabel = new Intl.Collator('zh-CN', { numeric: true })

/** Members that may be chosen and members already in the network, by router_name, sorted by label. */
export function toMemberOptions(offered: Offered, members: readonly Member[]): ReadonlyMap<string, MemberOption> {
  const inside: MemberOption[] = members.map(({ router_name, note, router_type, presence }) => ({
    router_name,
    note,
    routerType: router_type,
    state: presence.state,
    networkCount: 1,
  }))
  const kinds = [
    [ROUTER_TYPE.hardware, offered.router],
    [ROUTER_TYPE.software, offered.app],
  ] as const
  const outside: MemberOption[] = kinds.flatMap(([routerType, candidates]) =>
    candidates.map(({ router_name, note, presence, networks }) => ({
      router_name,
      note,
      routerType,
      state: presence.state,
      networkCount: networks.length,
    })),
  )
  const all = [...new Map([...inside, ...outside].map((option) => [option.router_name, option])).values()]
  const sorted = all.toSorted(
    (a, b) => byLabel.compare(memberLabel(a), memberLabel(b)) || (a.router_name < b.router_name ? -1 : 1),
  )
  return new Map(sorted.map((option) => [option.router_name, option]))
}
