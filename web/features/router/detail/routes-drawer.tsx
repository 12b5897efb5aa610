import { useState } from 'react'
import { ActualRoutes } from '#ui/member/routes/actual-routes.tsx'
import { RoutesChoice } from '#ui/member/routes/routes-choice.tsx'
import { SideDrawer } from '#ui/dialog/dialog.tsx'
import { NO_NETWORK, type RouterInfo } from '../router-text.ts'

/* Drawer of the effective routes (有效路由) of a router in one of its networks. */

export function RoutesDrawer({ info, onClose }: { info: RouterInfo; onClose: () => void }) {
  const { router_name, network: networks } = info
  const [number, setNumber] = useState(networks[0]?.network_number ?? '')
  return (
    <SideDrawer title="有效路由" widthPx={720} onClose={onClose}>
      {networks.length > 1 && (
        <RoutesChoice
          label="组网"
          value={number}
          onChange={setNumber}
          options={networks.map(({ network_number, network_name }) => ({ value: network_number, label: network_name }))}
        />
      )}
      {number === '' ? (
        <p className="nl-muted">{NO_NETWORK}</p>
      ) : (
        <ActualRoutes key={number} networkNumber={number} routerName={router_name} />
      )}
    </SideDrawer>
  )
}
