import { MemberNoteDialog, type NotedMember } from '#ui/member/member-note-dialog.tsx'
import { useSaveNote } from '../api.ts'

/** Dialog of the note of a member. */
export function NoteDialog({ info, onClose }: { info: NotedMember; onClose: () => void }) {
  const { trigger } = useSaveNote()
  return <MemberNoteDialog member={info} save={trigger} onClose={onClose} />
}
