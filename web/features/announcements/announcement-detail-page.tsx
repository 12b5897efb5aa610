import { Navigate, useSearchParams } from 'react-router'
import { RESULT } from '#contract/kernel/result.ts'
import { paths } from '#lib/paths.ts'
import { Markdown } from '#ui/markdown/markdown.tsx'
import { useObjectTitle } from '#ui/layout/tab-title.ts'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { Gone } from '#ui/state/page-states.tsx'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { useAnnouncement } from './api.ts'

/* Page of one announcement (account 2). */

const TRAIL = [{ label: '平台公告', to: paths.announcements }]

export function AnnouncementDetailPage() {
  const [query] = useSearchParams()
  const id = query.get('id') ?? ''
  if (!/^\d{1,15}$/.test(id)) return <Navigate to={paths.announcements} replace />
  return <LoadedAnnouncement key={id} id={Number(id)} />
}

function LoadedAnnouncement({ id }: { readonly id: number }) {
  const { data, error, mutate } = useAnnouncement(id)
  const announcement = data?.data
  useObjectTitle(announcement?.title)
  if (error?.code === RESULT.notFound) return <Gone message={error.msg} to={paths.announcements} />
  return (
    <>
      <PageHeader
        title={announcement?.title ?? '公告详情'}
        trail={TRAIL}
        facts={
          announcement && (
            <>
              {announcement.tag !== '' && <span>{announcement.tag}</span>}
              <TimeText at={announcement.release_time} />
            </>
          )
        }
      />
      <Panel>
        {announcement !== undefined ? (
          <Markdown text={announcement.content} />
        ) : (
          <Loading query={{ error, mutate }} lines={8} />
        )}
      </Panel>
    </>
  )
}
