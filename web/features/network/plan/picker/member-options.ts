import type { Output } from '#contract/kernel/endpoint.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import type { MemberOption } from './picker.ts'
import type { Member } from '#pages/network/projection.ts'
import type { routerApi } from '#contract/router/index.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'

type Offered = Output<typeof routerApi.member>

const byLabel = new Intl.Collator('zh-CN', { numeric: true })

/** Members that may be chosen and members already in the network, by router_name: hardware first, sorted by label. */
export function toMemberOptions(offered: Offered, members: readonly Member[]): ReadonlyMap<string, MemberOption> {
  // Beyond the most that are offered, nothing is known of a member but what its network says.
  const inside: MemberOption[] = members.map(({ router_name, note, router_type, presence }) => ({
    router_name,
    note,
    routerType: router_type,
    presence,
    networks: [],
    lan: [],
    wan: [],
  }))
  const kinds = [
    [ROUTER_TYPE.hardware, offered.router],
    [ROUTER_TYPE.software, offered.app],
  ] as const
  const outside: MemberOption[] = kinds.flatMap(([routerType, candidates]) =>
    candidates.map((candidate) => ({ ...candidate, routerType })),
  )
  const all = [...new Map([...inside, ...outside].map((option) => [option.router_name, option])).values()]
  const sorted = all.toSorted(
    (a, b) =>
      a.routerType - b.routerType ||
      byLabel.compare(memberLabel(a), memberLabel(b)) ||
      (a.router_name < b.router_name ? -1 : 1),
  )
  return new Map(sorted.map((option) => [option.router_name, option]))
}
