import { MemberNoteDialog, type NotedMember } from '#ui/member/member-note-dialog.tsx'
import { useSaveNote } from '../api.ts'

export function NoteDialog({ info, onClose }: { info: NotedMember; onClose: () => void }) {
  const { trigger } = useSaveNote()
  return <MemberNoteDialog member={info} save={trigger} onClose={onClose} />
}
