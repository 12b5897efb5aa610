import { shortTimeText } from '#lib/format/format-time.ts'
import { paths } from '#lib/paths.ts'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import { titleColumn } from '#ui/table/identity-cell.tsx'
import { ListPage } from '#ui/table/list-page.tsx'
import type { Column } from '#ui/table/table-column.ts'
import { useListState } from '#ui/table/use-list-state.ts'
import { type AnnouncementRow, useAnnouncements } from './api.ts'

/** Page of the announcements of the service (account 2). */
export function AnnouncementListPage() {
  const list = useListState({})
  const query = useAnnouncements(list)
  return (
    <ListPage
      title="平台公告"
      label="公告"
      columns={COLUMNS}
      rowKey={(row) => String(row.id)}
      rowName={(row) => row.title}
      empty={{ hint: '产品更新、维护安排等平台公告会显示在这里。' }}
      {...{ list, query }}
    />
  )
}

const COLUMNS: readonly Column<AnnouncementRow>[] = [
  titleColumn('标题', (row) => ({
    name: row.title,
    to: paths.announcement(row.id),
    compactText: shortTimeText(row.release_time),
  })),
  { key: 'tag', title: '标签', phone: 'aside', cell: (row) => row.tag || <span className="nl-muted">—</span> },
  { key: 'release', title: '发布时间', from: 'md', cell: (row) => <TimeText at={row.release_time} /> },
]
