import { useMemo } from 'react'
import { PAGE_SIZE, ROUTER_TYPE } from '../../../../worker/contract/limits.ts'
import { memberLabel } from '../../../lib/member-label.ts'
import { paths } from '../../../lib/paths.ts'
import { countText } from '../../../lib/format-unit.ts'
import { MemberIdentity } from '../../../ui/identity-cell.tsx'
import { CopyText } from '../../../ui/copy-text.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { ConfigBadge, PresenceBadge } from '../../../ui/member-badges.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { type RowAction, RowActions } from '../../../ui/row-actions.tsx'
import type { Column } from '../../../ui/table-parts.tsx'
import type { ListState } from '../../../ui/use-list-state.ts'
import { type MemberRole, MEMBER_ROLE_NAME, routerTypeName } from '../network-text.ts'
import type { Member } from '../projection.ts'

interface MemberTableProps {
  readonly role: MemberRole
  readonly members: readonly Member[]
  readonly isStale: boolean
  readonly list: Pick<ListState, 'page' | 'setPage' | 'isNarrowed' | 'clear'>
  readonly toRowActions: (member: Member) => readonly RowAction[]
}

/** Members of one role, paged on the client: the API returns all of them. */
export function MemberTable({ role, members, isStale, list, toRowActions }: MemberTableProps) {
  const data = useMemo(
    () => ({ data: members.slice((list.page - 1) * PAGE_SIZE, list.page * PAGE_SIZE), count: members.length }),
    [members, list.page],
  )
  const columns: readonly Column<Member>[] = [
    {
      key: 'name',
      title: '成员',
      isName: true,
      width: '26%',
      cell: (member) => (
        <MemberIdentity
          member={member}
          {...(member.router_type === ROUTER_TYPE.hardware && { to: paths.router(member.router_name), isNewTab: true })}
          kind={routerTypeName(member.router_type)}
        />
      ),
    },
    {
      key: 'state',
      title: '状态',
      width: '12%',
      cell: (member) => <PresenceBadge presence={member.presence} isStale={isStale} />,
    },
    { key: 'ip', title: 'VPN IP', width: '16%', cell: (member) => <Addresses addresses={member.vpn_ip} /> },
    { key: 'version', title: '版本', width: '9%', cell: (member) => member.version || '—' },
    {
      key: 'config',
      title: '配置',
      width: '12%',
      cell: (member) => <ConfigBadge config={member.config} isStale={isStale} />,
    },
    {
      key: 'actions',
      title: '操作',
      align: 'right',
      sticky: 'end',
      cell: (member) => <RowActions actions={toRowActions(member)} subject={memberLabel(member)} />,
    },
  ]
  return (
    <Panel title={`${MEMBER_ROLE_NAME[role]}（${countText(members.length)}）`}>
      <DataTable
        label={MEMBER_ROLE_NAME[role]}
        query={{ data, isValidating: false, mutate: () => {} }}
        columns={columns}
        rowKey={(member) => member.router_name}
        rowName={memberLabel}
        list={list}
        empty={{ hint: `还没有${MEMBER_ROLE_NAME[role]}` }}
      />
    </Panel>
  )
}

export function Addresses({ addresses }: { readonly addresses: readonly string[] }) {
  if (addresses.length === 0) return <span className="nl-muted">—</span>
  return (
    <div>
      {addresses.map((address) => (
        <div key={address}>
          <CopyText text={address} />
        </div>
      ))}
    </div>
  )
}
