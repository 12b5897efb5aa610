import { MemberNoteDialog } from '#ui/member/member-note-dialog.tsx'
import { useSetNote } from './api.ts'
import type { SaasRow } from './saas-text.ts'

export function NoteDialog({ device, onClose }: { readonly device: SaasRow; readonly onClose: () => void }) {
  const { trigger } = useSetNote()
  return <MemberNoteDialog member={device} save={trigger} onClose={onClose} />
}
