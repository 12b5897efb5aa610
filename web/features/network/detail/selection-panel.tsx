import type { RowAction } from '#ui/table/row-actions.tsx'
import type { Link, Member, NetworkInfo } from '../projection.ts'
import type { Picked } from '../topology/topology.tsx'
import type { useFilteredMembers } from './use-filtered-members.ts'
import { LinkPanel } from './link-panel.tsx'
import { MemberPanel } from '../members/member-panel.tsx'

interface SelectionPanelProps {
  readonly info: NetworkInfo
  readonly picked: Picked | null
  readonly shown: ReturnType<typeof useFilteredMembers>
  readonly isStale: boolean
  readonly toRowActions: (member: Member) => readonly RowAction[]
  readonly onSelect: (picked: Picked | null) => void
}

/** Panel of what is selected, while it is in the network. */
export function SelectionPanel({ info, picked, shown, isStale, toRowActions, onSelect }: SelectionPanelProps) {
  const { affected, linksByMember, sortedLinks, toMember, toName } = shown
  const onClose = () => onSelect(null)
  const onLink = ({ id }: Link) => onSelect({ kind: 'links', ids: [id] })
  if (picked === null) return null
  if (picked.kind === 'links') {
    const links = sortedLinks().filter(({ id }) => picked.ids.includes(id))
    const onMember = (name: string) => onSelect({ kind: 'member', name })
    return <LinkPanel {...{ links, toMember, toName, isStale, onLink, onMember, onClose }} />
  }
  const member = toMember(picked.name)
  if (member === undefined) return null
  return (
    <MemberPanel
      {...{ info, member, toName, isStale, onLink, onClose }}
      links={linksByMember().get(member.router_name) ?? []}
      isSingleCenter={affected.singleCenter.has(member.router_name)}
      actions={toRowActions(member)}
    />
  )
}
