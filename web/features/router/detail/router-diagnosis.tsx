import Button from '@douyinfe/semi-ui/lib/es/button'
import { useState } from 'react'
import { coversNetwork, isAllowed } from '#contract/kernel/permissions.ts'
import { useGrants } from '#lib/session/session.ts'
import { lazyDialog } from '#ui/dialog/lazy-dialog.tsx'
import { DiagnosisList } from '#ui/member/diagnosis/diagnosis-list.tsx'

const DiagnosisDialog = lazyDialog(() =>
  import('#ui/member/diagnosis/diagnosis-dialog.tsx').then((m) => m.DiagnosisDialog),
)

interface RouterDiagnosisProps {
  readonly networkNumber: string
  readonly routerName: string
}

/** Diagnoses of a network of the router, with the start of a new one from it. */
export function RouterDiagnosis({ networkNumber, routerName }: RouterDiagnosisProps) {
  const grants = useGrants()
  const [isStarting, setStarting] = useState(false)
  const canStart = isAllowed('network:edit', grants) && coversNetwork(grants, networkNumber)
  return (
    <div className="nl-diagnosis">
      {canStart && (
        <span>
          <Button theme="solid" onClick={() => setStarting(true)}>
            开始诊断
          </Button>
        </span>
      )}
      <DiagnosisList networkNumber={networkNumber} />
      {isStarting && (
        <DiagnosisDialog networkNumber={networkNumber} from={routerName} to="" onClose={() => setStarting(false)} />
      )}
    </div>
  )
}
