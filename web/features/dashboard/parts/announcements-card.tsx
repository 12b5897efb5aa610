import { Link } from 'react-router'
import type { SWRResponse } from 'swr'
import type { announcementsApi } from '../../../../worker/contract/announcements.ts'
import type { Output } from '../../../../worker/contract/endpoint.ts'
import { paths } from '../../../lib/paths.ts'
import type { ApiError, Reply } from '../../../lib/call.ts'
import { dateText } from '../../../lib/format-time.ts'
import { Card } from './card.tsx'

const SHOWN = 5

interface AnnouncementsCardProps {
  readonly query: SWRResponse<Reply<Output<typeof announcementsApi.lists>>, ApiError>
}

export function AnnouncementsCard({ query }: AnnouncementsCardProps) {
  return (
    <Card title="平台公告" more={paths.announcements} query={query}>
      {({ data }) =>
        data.length === 0 ? (
          <p className="nl-calm">暂无数据</p>
        ) : (
          <ul className="nl-rows">
            {data.slice(0, SHOWN).map(({ id, title, tag, release_time }) => (
              <li key={id}>
                {tag !== '' && <em>{tag}</em>}
                <Link to={paths.announcement(id)}>{title}</Link>
                <span>{dateText(release_time)}</span>
              </li>
            ))}
          </ul>
        )
      }
    </Card>
  )
}
