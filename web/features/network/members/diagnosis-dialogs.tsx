import { SideDrawer } from '#ui/dialog/dialog.tsx'
import { DiagnosisDialog } from '#ui/member/diagnosis/diagnosis-dialog.tsx'
import { DiagnosisList } from '#ui/member/diagnosis/diagnosis-list.tsx'
import type { NetworkDialogProps } from '../settings/dialog-context.ts'

/* Dialog and records of diagnoses on the page of a network. */

/** The subject is a member, or `from>to`, the two ends of a link. */
export function DiagnoseDialog({ info, subject, onClose }: NetworkDialogProps & { readonly subject: string }) {
  const [from = '', to = ''] = subject.split('>')
  return <DiagnosisDialog networkNumber={info.network_number} from={from} to={to} onClose={onClose} />
}

export const DiagnosesDrawer = ({ info, onClose }: NetworkDialogProps) => (
  <SideDrawer title="诊断记录" widthPx={720} onClose={onClose}>
    <DiagnosisList networkNumber={info.network_number} />
  </SideDrawer>
)
