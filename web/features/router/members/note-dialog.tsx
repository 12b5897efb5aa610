import { MemberNoteDialog, type NotedMember } from '#ui/member/member-note-dialog.tsx'
import { useSaveNote } from '../api.ts'

interface NoteDialogProps {
  readonly info: NotedMember
  readonly onClose: () => void
}

export function NoteDialog({ info, onClose }: NoteDialogProps) {
  const { trigger } = useSaveNote()
  return <MemberNoteDialog member={info} save={trigger} onClose={onClose} />
}
