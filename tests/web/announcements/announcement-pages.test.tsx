import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { AnnouncementDetailPage } from '#pages/announcements/announcement-detail-page.tsx'
import { AnnouncementListPage } from '#pages/announcements/announcement-list-page.tsx'
import { openPage } from '../network/open-page.tsx'

const AT = Date.parse('2026-11-20T02:00:00Z')
const row = (id: number) => ({ id, title: `公告${id}`, tag: '产品', release_time: AT })

describe('account 2 · announcements', () => {
  it('list leads to the detail', async () => {
    openPage(<AnnouncementListPage />, '/account/announcements', {
      'announcements/lists': { data: [row(2), row(1)], count: 2 },
    })
    const link = await screen.findByRole('link', { name: '公告2' })
    expect(link.getAttribute('href')).toBe('/account/announcements/detail?id=2')
    const cells = within(link.closest('tr')!)
    expect(cells.getByText('产品')).not.toBeNull()
    expect(cells.getByText('2026-11-20 10:00:00')).not.toBeNull()
  })

  it('a page that has become empty steps back', async () => {
    const { api } = openPage(<AnnouncementListPage />, '/account/announcements?page=2', {
      'announcements/lists': ({ input }) =>
        input['page'] === '2' ? { data: [], count: 10 } : { data: [row(1)], count: 10 },
    })
    expect(await screen.findByRole('link', { name: '公告1' })).not.toBeNull()
    expect(api.last('announcements/lists')?.input).toMatchObject({ page: '1' })
  })

  it('detail shows the text; without an id, or where it is gone, it leads to the list', async () => {
    openPage(<AnnouncementDetailPage />, '/account/announcements/detail?id=2', {
      'announcements/info': { data: { ...row(2), content: '# 一\n\n正文 **重点**' } },
    })
    expect(await screen.findByRole('heading', { level: 1, name: '公告2' })).not.toBeNull()
    expect(await screen.findByRole('heading', { level: 2, name: '一' })).not.toBeNull()
    expect(screen.getByText('重点').tagName).toBe('STRONG')
  })

  it.each(['', '?id=x', '?id=-1'])('detail without a valid id: %j', async (query) => {
    openPage(<AnnouncementDetailPage />, `/account/announcements/detail${query}`, {})
    expect(await screen.findByText('elsewhere')).not.toBeNull()
  })

  it('a withdrawn one says so on the list', async () => {
    openPage(<AnnouncementDetailPage />, '/account/announcements/detail?id=9', {
      'announcements/info': { code: 204, msg: '公告不存在或已被删除' },
    })
    expect(await screen.findByText('elsewhere')).not.toBeNull()
    expect(await screen.findByText('公告不存在或已被删除')).not.toBeNull()
  })
})

describe('images of an announcement', () => {
  const image = '![拓扑图](/api/v1/announcements/image?key=a.png)'
  it('a click opens the preview, which Escape closes', async () => {
    openPage(<AnnouncementDetailPage />, '/account/announcements/detail?id=2', {
      'announcements/info': { data: { ...row(2), content: image } },
    })
    await userEvent.click(await screen.findByRole('button', { name: '拓扑图' }))
    await waitFor(() => expect(document.querySelector('.semi-image-preview')).not.toBeNull())
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(document.querySelector('.semi-image-preview')).toBeNull())
    expect(document.body.style.overflow).toBe('')
  })
})
