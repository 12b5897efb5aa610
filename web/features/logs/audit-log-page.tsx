import Button from '@douyinfe/semi-ui/lib/es/button'
import { useState } from 'react'
import { AUDIT_ACTORS, type AuditActorKind } from '#contract/logs/index.ts'
import { ACTOR_WORD, MODULE_WORD, moduleWord } from '#domain/logs/audit-words.ts'
import { shortTimeText } from '#lib/format/format-time.ts'
import { lazyDialog } from '#ui/dialog/lazy-dialog.tsx'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import { FilterSwitch } from '#ui/table/filter-bar.tsx'
import { IdentityCell } from '#ui/table/identity-cell.tsx'
import type { RowAction } from '#ui/table/row-actions.tsx'
import type { Column } from '#ui/table/table-column.ts'
import { useListState } from '#ui/table/use-list-state.ts'
import { type AuditRow, useAudit } from './api.ts'
import styles from './audit-filters.module.css'
import { LogList, Mono, useLogRange } from './log-list.tsx'

/* Page of the audit log: changes by person, with the values before. Only the main account has it. */

const AuditDialog = lazyDialog(() => import('./audit-dialog.tsx').then((m) => m.AuditDialog))

const ACTORS = [{ value: '', label: '全部' }, ...AUDIT_ACTORS.map((kind) => ({ value: kind, label: ACTOR_WORD[kind] }))]
const toKind = (text: string): AuditActorKind | '' => AUDIT_ACTORS.find((kind) => kind === text) ?? ''

export function AuditLogPage() {
  const list = useListState({ range: '', actor_kind: '', actor: '', module: '' })
  const range = useLogRange(list)
  const [opened, setOpened] = useState<AuditRow | null>(null)
  const { page, limit, search, filters } = list
  const chosen = { actor_kind: toKind(filters.actor_kind), actor: filters.actor, module: filters.module }
  const query = useAudit({ page, limit, search, ...chosen, ...range.sent })
  const toRowActions = (row: AuditRow): readonly RowAction[] => [
    { label: '查看', onSelect: () => setOpened(row) },
    ...(filters.actor === row.actor_name
      ? []
      : [{ label: '只看此人', onSelect: () => list.setFilter('actor', row.actor_name) }]),
  ]
  return (
    <LogList
      title="操作审计"
      searchLabel="搜索操作人、对象、说明或IP"
      hint="账号中每次修改的操作人、时间和修改前后的内容会显示在这里。"
      columns={columnsOf(setOpened)}
      rowName={(row) => row.message}
      exported={{ type: 'audit', ...chosen }}
      filters={
        <>
          <FilterSwitch list={list} name="actor_kind" label="按操作人类型筛选" options={ACTORS} />
          <ModuleFilter value={filters.module} onChange={(module) => list.setFilter('module', module)} />
          <ActorFilter actor={filters.actor} onClear={() => list.setFilter('actor', '')} />
        </>
      }
      {...{ list, range, query, toRowActions }}
    >
      {opened !== null && <AuditDialog row={opened} onClose={() => setOpened(null)} />}
    </LogList>
  )
}

const columnsOf = (onOpen: (row: AuditRow) => void): readonly Column<AuditRow>[] => [
  {
    key: 'message',
    title: '说明',
    isName: true,
    wrap: true,
    cell: (row) => (
      <IdentityCell
        name={row.message}
        wraps
        onOpen={() => onOpen(row)}
        second={<span>{row.target}</span>}
        compactText={`${row.actor_name} ${shortTimeText(row.create_time)}`}
      />
    ),
  },
  { key: 'actor', title: '操作人', from: 'md', cell: (row) => row.actor_name },
  { key: 'kind', title: '操作人类型', from: 'xl', cell: (row) => ACTOR_WORD[row.actor_kind] },
  { key: 'module', title: '模块', phone: 'aside', cell: (row) => moduleWord(row.module) },
  { key: 'ip', title: 'IP', from: 'lg', cell: (row) => <Mono text={row.ip} /> },
  { key: 'time', title: '操作时间', from: 'md', cell: (row) => <TimeText at={row.create_time} /> },
]

/** Filter by module: a select, because a switch cannot hold so many. */
function ModuleFilter({ value, onChange }: { readonly value: string; onChange(module: string): void }) {
  return (
    <select
      className={styles.select}
      aria-label="按模块筛选"
      value={value in MODULE_WORD ? value : ''}
      onChange={(event) => onChange(event.target.value)}
    >
      <option value="">全部模块</option>
      {Object.entries(MODULE_WORD).map(([module, word]) => (
        <option key={module} value={module}>
          {word}
        </option>
      ))}
    </select>
  )
}

function ActorFilter({ actor, onClear }: { readonly actor: string; onClear(): void }) {
  if (actor === '') return null
  return (
    <Button theme="light" aria-label={`取消只看 ${actor}`} onClick={onClear}>
      操作人：{actor} ×
    </Button>
  )
}
