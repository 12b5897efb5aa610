import { Link } from 'react-router'
import { paths } from '../../../lib/paths.ts'
import { dateText } from '../../../lib/format-time.ts'
import type { useAnnouncements } from '../api.ts'
import { Card } from './card.tsx'
import { NoRows, Rows } from './rows.tsx'

interface AnnouncementsCardProps {
  readonly query: ReturnType<typeof useAnnouncements>
}

export function AnnouncementsCard({ query }: AnnouncementsCardProps) {
  return (
    <Card title="平台公告" more={paths.announcements} query={query}>
      {({ data }) =>
        data.length === 0 ? (
          <NoRows>暂无数据</NoRows>
        ) : (
          <Rows rows={data}>
            {({ id, title, tag, release_time }) => (
              <li key={id}>
                {tag !== '' && <em>{tag}</em>}
                <Link to={paths.announcement(id)}>{title}</Link>
                <span>{dateText(release_time)}</span>
              </li>
            )}
          </Rows>
        )
      }
    </Card>
  )
}
