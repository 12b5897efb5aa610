import Button from '@douyinfe/semi-ui/lib/es/button'
import { useState } from 'react'
import { LDAP } from '#contract/ldap/limits.ts'
import { COUNT_KINDS, countsText, WRITTEN } from '#domain/ldap/messages.ts'
import { confirm } from '#ui/dialog/confirm.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Segmented } from '#ui/form/segmented.tsx'
import { DataTable } from '#ui/table/data-table.tsx'
import type { Column } from '#ui/table/table-column.ts'
import { type PlanKind, type PlanName, type SyncStatus, usePlan, useSync } from '../api.ts'

/** Dialog of the changes that a run of the newest listing would make, by name, before anything is written. */
export function PlanDialog({ run, onClose }: { run: SyncStatus['run']; onClose: () => void }) {
  const [chosen, setChosen] = useState<PlanKind | null>(run?.state === 'asking' ? 'disabled' : null)
  const [page, setPage] = useState(1)
  const counts = usePlan('added', 1).data?.data // each page of names carries the counts of all kinds
  const kind = chosen ?? COUNT_KINDS.find(({ value }) => counts !== undefined && counts[value] > 0)?.value ?? 'added'
  const query = usePlan(kind, page)
  const sync = useSync()
  const plan = query.data?.data
  const written = plan === undefined ? '' : countsText(plan, WRITTEN)
  const ask = () =>
    confirm({
      title: '执行同步？',
      body: `将${written}。不会删除任何成员；24小时内可在同步记录中撤销。`,
      verb: '执行同步',
      run: () => sync.trigger({ hash: query.data?.hash ?? '' }),
    })
  return (
    <Dialog
      title="同步计划"
      widthPx={720}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>关闭</Button>
          <Button
            theme="solid"
            disabled={written === '' || run?.state === 'running' || run?.state === 'asking'}
            onClick={() => void ask()}
          >
            执行同步
          </Button>
        </>
      }
    >
      <Segmented
        label="改动"
        value={kind}
        options={COUNT_KINDS.map((option) => ({ ...option, count: plan?.[option.value] }))}
        onChange={(next) => {
          setChosen(next)
          setPage(1)
        }}
      />
      <DataTable
        key={kind}
        label="成员"
        query={{ ...query, data: query.data && { data: query.data.data.names, count: query.data.count } }}
        columns={COLUMNS[kind] ?? [NAME]}
        rowKey={(row) => row.uuid}
        rowName={(row) => row.name}
        list={{ page, setPage, isNarrowed: false, clear: () => {}, limit: LDAP.planNames }}
        empty={{ title: '没有这类改动' }}
      />
    </Dialog>
  )
}

const NAME: Column<PlanName> = { key: 'name', title: '成员名称', isName: true, cell: ({ name }) => name }
const REASON: Column<PlanName> = { key: 'reason', title: '说明', cell: ({ reason }) => reason || '—' }
const COLUMNS: Readonly<Partial<Record<PlanKind, readonly Column<PlanName>[]>>> = {
  changed: [NAME, { key: 'to', title: '新名称', cell: ({ to }) => to || '不变' }, REASON],
  conflicts: [NAME, REASON],
}
