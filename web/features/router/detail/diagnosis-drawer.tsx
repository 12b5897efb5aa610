import Button from '@douyinfe/semi-ui/lib/es/button'
import { useState } from 'react'
import { coversNetwork, isAllowed } from '#contract/kernel/permissions.ts'
import { useGrants } from '#lib/session/session.ts'
import { SideDrawer } from '#ui/dialog/dialog.tsx'
import { lazyDialog } from '#ui/dialog/lazy-dialog.tsx'
import { DiagnosisList } from '#ui/member/diagnosis/diagnosis-list.tsx'
import { RoutesChoice } from '#ui/member/routes/routes-choice.tsx'
import { NO_NETWORK, type RouterInfo } from '../router-text.ts'

/* Drawer of the diagnoses of a router in one of its networks, with the start of a new one. */

const DiagnosisDialog = lazyDialog(() =>
  import('#ui/member/diagnosis/diagnosis-dialog.tsx').then((m) => m.DiagnosisDialog),
)

export function DiagnosisDrawer({ info, onClose }: { info: RouterInfo; onClose: () => void }) {
  const { router_name, network: networks } = info
  const grants = useGrants()
  const [number, setNumber] = useState(networks[0]?.network_number ?? '')
  const [isStarting, setStarting] = useState(false)
  const canStart = number !== '' && isAllowed('network:edit', grants) && coversNetwork(grants, number)
  return (
    <SideDrawer title="诊断" widthPx={720} onClose={onClose}>
      {networks.length > 1 && (
        <RoutesChoice
          label="组网"
          value={number}
          onChange={setNumber}
          options={networks.map(({ network_number, network_name }) => ({ value: network_number, label: network_name }))}
        />
      )}
      {canStart && (
        <Button theme="solid" onClick={() => setStarting(true)}>
          开始诊断
        </Button>
      )}
      {number === '' ? <p className="nl-muted">{NO_NETWORK}</p> : <DiagnosisList key={number} networkNumber={number} />}
      {isStarting && (
        <DiagnosisDialog networkNumber={number} from={router_name} to="" onClose={() => setStarting(false)} />
      )}
    </SideDrawer>
  )
}
