import { useColumnChoice } from '#ui/table/column-menu.tsx'
import { linkColumns } from './link-columns.tsx'
import { memberColumns } from '../members/member-columns.tsx'
import type { Picked } from '../topology/topology.tsx'
import type { useFilteredMembers } from './use-filtered-members.ts'

interface Cells {
  readonly shown: ReturnType<typeof useFilteredMembers>
  readonly isStale: boolean
  readonly onSelect: (picked: Picked | null) => void
}

/** Columns of both tables, and what a person has chosen of them. */
export function useViewColumns({ shown, isStale, onSelect }: Cells) {
  const { affected, linksByMember, toName, toNamed } = shown
  return {
    members: useColumnChoice(
      '组网成员',
      memberColumns({
        isStale,
        linksByMember,
        toName,
        singleCenter: affected.singleCenter,
        onOpen: ({ router_name }) => onSelect({ kind: 'member', name: router_name }),
      }),
    ),
    links: useColumnChoice(
      '组网链路',
      linkColumns({
        isStale,
        toName,
        toNamed,
        onOpen: ({ id }) => onSelect({ kind: 'links', ids: [id] }),
      }),
    ),
  }
}

export type ViewColumns = ReturnType<typeof useViewColumns>
