import { useState } from 'react'
import { Navigate, useSearchParams } from 'react-router'
import { ERRORS } from '#contract/kernel/errors.ts'
import { RESULT } from '#contract/kernel/result.ts'
import { wholeNumber } from '#contract/kernel/input/typed-text.ts'
import { mbsText } from '#lib/format/format-unit.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { FilterSwitch } from '#ui/table/filter-bar.tsx'
import { MemberIdentity } from '#ui/member/member-identity.tsx'
import { lazyDialog } from '#ui/dialog/lazy-dialog.tsx'
import { useObjectTitle } from '#ui/layout/tab-title.ts'
import { ExpiryDate } from '#ui/layout/text/time-text.tsx'
import { Gone } from '#ui/state/page-states.tsx'
import { ListPage } from '#ui/table/list-page.tsx'
import type { RowAction } from '#ui/table/row-actions.tsx'
import type { Column } from '#ui/table/table-column.ts'
import { useListState } from '#ui/table/use-list-state.ts'
import { POOL_LIST, type PoolDevice, useExitCountries, useMayEdit, usePool, usePoolDevices } from './api.ts'

/* Page of one bandwidth pool with its devices; leads to the list if the address names no pool (directory 2). */

const BandwidthDialog = lazyDialog(() => import('./pool-bandwidth-dialog.tsx').then((m) => m.PoolBandwidthDialog))

export function PoolDetailPage() {
  const id = wholeNumber(useSearchParams()[0].get('id') ?? '')
  if (typeof id !== 'number' || id <= 0) return <Navigate to={POOL_LIST} replace />
  return <PoolDetail key={id} id={id} />
}

const TRAIL = [{ label: '带宽池', to: POOL_LIST }]
const ALL = { value: '', label: '全部' }

function PoolDetail({ id }: { readonly id: number }) {
  const pool = usePool(id)
  const list = useListState({ country: '' })
  const query = usePoolDevices(id, list, list.filters.country)
  const countries = useExitCountries(id)
  const mayEdit = useMayEdit()
  const [edited, setEdited] = useState<PoolDevice | null>(null)
  const facts = pool.data?.data
  useObjectTitle(facts?.name ?? '带宽池')
  if (pool.error?.code === RESULT.notFound) return <Gone message={pool.error.msg} to={POOL_LIST} />

  const toRowActions = (row: PoolDevice): readonly RowAction[] => [
    {
      label: '修改带宽',
      onSelect: () => setEdited(row),
      blocked: row.expire_date <= Date.now() ? ERRORS.SAAS_EXPIRED.msg : null,
    },
  ]
  const options = [ALL, ...(countries.data?.data ?? []).map(({ code, CNName }) => ({ value: code, label: CNName }))]
  return (
    <ListPage
      title={facts?.name ?? '带宽池'}
      trail={TRAIL}
      label="带宽池设备"
      facts={facts && <span>{`最大带宽 ${facts.max} Mbs，共 ${facts.total} 台设备共享`}</span>}
      searchLabel="搜索设备名称或备注"
      filters={options.length > 2 && <FilterSwitch list={list} name="country" label="出口" options={options} />}
      columns={COLUMNS}
      rowKey={(row) => row.router_name}
      rowName={memberLabel}
      {...(mayEdit && { toRowActions })}
      empty={{ hint: '这个带宽池还没有设备。' }}
      {...{ list, query }}
    >
      {edited !== null && <BandwidthDialog device={edited} onClose={() => setEdited(null)} />}
    </ListPage>
  )
}

const COLUMNS: readonly Column<PoolDevice>[] = [
  { key: 'name', title: '设备', isName: true, cell: (row) => <MemberIdentity member={row} /> },
  {
    key: 'bandwidth',
    title: '带宽',
    align: 'right',
    cell: (row) =>
      row.current_bandwidth === row.bandwidth ? (
        mbsText(row.bandwidth)
      ) : (
        <span>
          {mbsText(row.current_bandwidth)} <small className="nl-muted">原 {mbsText(row.bandwidth)}</small>
        </span>
      ),
  },
  { key: 'export', title: '出口', cell: (row) => row.export || '—' },
  { key: 'expire', title: '到期时间', from: 'md', cell: (row) => <ExpiryDate at={row.expire_date} /> },
]
