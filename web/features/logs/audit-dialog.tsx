import { toFieldChanges } from '#domain/logs/audit-difference.ts'
import { ACTOR_WORD, moduleWord } from '#domain/logs/audit-words.ts'
import { BeforeAfter } from '#ui/layout/before-after.tsx'
import { CopyText } from '#ui/layout/text/copy-text.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Facts } from '#ui/layout/facts.tsx'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import type { AuditRow } from './api.ts'

/* Dialog of one audit record, with its changed fields. */

/** boss（主账号）; names of the operator and the system say what they are. */
const actorText = ({ actor_name: name, actor_kind: kind }: AuditRow): string =>
  name.startsWith(ACTOR_WORD[kind]) ? name : `${name}（${ACTOR_WORD[kind]}）`

export function AuditDialog({ row, onClose }: { readonly row: AuditRow; readonly onClose: () => void }) {
  const changes = toFieldChanges(row.before, row.after, row)
  return (
    <Dialog title={row.message} widthPx={720} onClose={onClose}>
      <Facts
        facts={[
          { label: '操作人', value: actorText(row) },
          { label: '操作时间', value: <TimeText at={row.create_time} /> },
          { label: '模块', value: moduleWord(row.module) },
          { label: '对象', value: row.target || '—' },
          { label: 'IP', value: row.ip || '—' },
          { label: '请求编号', value: <CopyText text={row.request_id} /> },
        ]}
      />
      {changes.length === 0 ? (
        <p className="nl-muted">此操作没有记录修改前后的内容。</p>
      ) : (
        <BeforeAfter label="修改前后" changes={changes} />
      )}
    </Dialog>
  )
}
