import { useSearchParams } from 'react-router'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { Panel } from '#ui/layout/panel.tsx'
import { ActualRoutes } from '#ui/member/routes/actual-routes.tsx'
import { RoutesChoice } from '#ui/member/routes/routes-choice.tsx'
import type { NetworkInfo } from '../live-network.ts'

/** Routes of the member that the address names, or else of the first point. */
export function RoutesView({ info }: { readonly info: NetworkInfo }) {
  const [query, setQuery] = useSearchParams()
  const hardware = info.member.filter(({ router_type }) => router_type === ROUTER_TYPE.hardware)
  const first = hardware.find(({ member_type }) => member_type === 'point') ?? hardware[0]
  const named = hardware.find(({ router_name }) => router_name === query.get('member'))
  const name = (named ?? first)?.router_name ?? ''
  const choose = (next: string) => {
    const to = new URLSearchParams(query)
    to.set('member', next)
    setQuery(to, { replace: true })
  }
  if (name === '')
    return (
      <Panel>
        <p className="nl-muted">该组网没有硬件成员</p>
      </Panel>
    )
  return (
    <Panel>
      <RoutesChoice
        label="成员"
        value={name}
        onChange={choose}
        options={hardware.map((member) => ({ value: member.router_name, label: memberLabel(member) }))}
        filter
      />
      <ActualRoutes key={name} networkNumber={info.network_number} routerName={name} />
    </Panel>
  )
}
