import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { announcementsApi } from '#contract/announcements/index.ts'
import { opsApi } from '#contract/ops/index.ts'
import { deleteOrphanFiles } from '#features/file/orphans.ts'
import { selectAudit } from '#tests/support/identity.ts'
import { createMainAccount, unique } from '#tests/support/fixtures.ts'
import { call, createTestWorker, db, refusal, request } from '#tests/support/test-worker.ts'

const publish = async (over: object = {}) => {
  const title = unique('公告')
  const { data } = await call(opsApi.publishAnnouncement, { title, tag: '产品', content: '# 正文', ...over })
  return { id: data.id, title }
}

/** Local runs answer to local hosts alone. */
const deployed = createTestWorker({ env: { ENVIRONMENT: 'production' } })

/** Announcement as a host's page receives it: in the list, and by its id. */
async function shownAt(host: string, token: string, { id, title }: { id: number; title: string }) {
  const get = async (path: string) => {
    const response = await deployed.request(`//${host}/api/v1/${path}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    return response.json<{ code: number; data: { title: string }[] }>()
  }
  const list = await get('announcements/lists?limit=100')
  const info = await get(`announcements/info?id=${id}`)
  const isListed = list.data.some((row) => row.title === title)
  expect(info.code).toBe(isListed ? 200 : 204)
  return isListed
}

const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 1])
const MAIN = 'console.netloom.cn'
const CARRIER = 'qianfan.netloom.cn'

describe('design 7 · announcements by host', () => {
  it('one without hosts is shown on every host, also on those that are not listed', async () => {
    const { token } = await createMainAccount()
    const announcement = await publish()
    for (const host of [MAIN, CARRIER, 'localhost', 'other.example'])
      expect(await shownAt(host, token, announcement)).toBe(true)
  })

  it('one with hosts is shown on these, and answers elsewhere like one that is not there', async () => {
    const { token } = await createMainAccount()
    const carriers = await publish({ hosts: [CARRIER] })
    expect(await shownAt(CARRIER, token, carriers)).toBe(true)
    for (const host of [MAIN, 'localhost', 'other.example']) expect(await shownAt(host, token, carriers)).toBe(false)
    const ours = await publish({ hosts: ['LocalHost'] }) // an alias of the main host
    expect(await shownAt(MAIN, token, ours)).toBe(true)
    expect(await shownAt(CARRIER, token, ours)).toBe(false)
  })

  it('a host that is not listed is refused', async () => {
    const answer = await call(opsApi.publishAnnouncement, { title: 't', content: 'c', hosts: ['other.example'] })
    expect(answer).toMatchObject({ ...refusal('HOST_UNKNOWN'), data: { field: 'hosts' } })
  })
})

describe('design 1 · ops · announcements are edited and withdrawn', () => {
  it('an edit changes what it names, with before and after in its audit row', async () => {
    const main = await createMainAccount()
    const { id, title } = await publish()
    const before = (await main.call(announcementsApi.info, { id })).data
    expect(await call(opsApi.editAnnouncement, { id, content: '改期', tag: '' })).toMatchObject({ msg: '修改成功' })
    expect((await main.call(announcementsApi.info, { id })).data).toEqual({ ...before, content: '改期', tag: '' })
    const [audit] = await selectAudit(0)
    expect(audit).toMatchObject({ action: 'announcement/edit', target: title })
    expect(JSON.parse(audit!.before!)).toMatchObject({ content: '# 正文', tag: '产品' })
    expect(JSON.parse(audit!.after!)).toMatchObject({ content: '改期', tag: '', title })
  })

  it('an edit moves it to other hosts', async () => {
    const { token } = await createMainAccount()
    const announcement = await publish()
    await call(opsApi.editAnnouncement, { id: announcement.id, hosts: [CARRIER] })
    expect(await shownAt(MAIN, token, announcement)).toBe(false)
    await call(opsApi.editAnnouncement, { id: announcement.id, hosts: [] })
    expect(await shownAt(MAIN, token, announcement)).toBe(true)
  })

  it('one that is withdrawn is gone', async () => {
    const main = await createMainAccount()
    const { id, title } = await publish()
    expect((await call(opsApi.listAnnouncements, {})).data[0]).toMatchObject({ id, title, hosts: [] })
    expect(await call(opsApi.withdrawAnnouncement, { id })).toMatchObject({ msg: '删除成功' })
    expect(await main.call(announcementsApi.info, { id })).toMatchObject(refusal('ANNOUNCEMENT_NOT_FOUND'))
    expect((await selectAudit(0))[0]).toMatchObject({ action: 'announcement/withdraw', target: title })
    for (const spec of [opsApi.withdrawAnnouncement, opsApi.editAnnouncement])
      expect(await call(spec, { id })).toMatchObject(refusal('ANNOUNCEMENT_NOT_FOUND'))
  })
})

describe('design 5 · images of announcements', () => {
  const { uploadAnnouncementImage } = opsApi
  it('are stored under a random name, and shown to everybody with a fixed type', async () => {
    const { data } = await call(uploadAnnouncementImage, { file: new File([PNG], '拓扑.png') })
    expect(data.src).toMatch(/^\/api\/v1\/announcements\/image\?key=[0-9a-f]{32}\.png$/)
    const response = await request(data.src)
    expect(response.headers.get('content-type')).toBe('image/png')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('content-disposition')).toMatch(/^inline/)
    expect(response.headers.get('cache-control')).toContain('max-age=86400')
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(PNG)
    expect((await selectAudit(0))[0]).toMatchObject({ action: 'announcement/upload_image', target: data.src })
  })

  it.each([
    ['a.svg', '<svg onload="alert(1)"/>'],
    ['a.png', '<svg onload="alert(1)"/>'],
    ['a.png', ''],
    ['a.pdf', PNG],
  ])('%s with other bytes is refused', async (name, bytes) => {
    expect((await call(uploadAnnouncementImage, { file: new File([bytes], name) })).code).toBe(422)
  })

  it.each(['', 'x', '../files/00', `${'0'.repeat(32)}.png`, `${'0'.repeat(32)}.svg`])(
    'the name %j answers like a missing file',
    async (key) => {
      expect(await call(announcementsApi.image, { key })).toMatchObject(refusal('FILE_NOT_FOUND'))
    },
  )
})

describe('design 5 · images that no announcement shows', () => {
  const { uploadAnnouncementImage } = opsApi
  const DAY_MS = 86_400_000
  const upload = async () => {
    const { data } = await call(uploadAnnouncementImage, { file: new File([PNG], 'a.png') })
    return data.src
  }
  const keyOf = (src: string) => new URL(src, 'http://x').searchParams.get('key') ?? ''
  const isKept = async (src: string) => (await request(src)).headers.get('content-type') === 'image/png'
  /** Runs the sweep of this image's part of the bucket, so long after its upload. */
  async function sweepAfter(src: string, ms: number): Promise<void> {
    const minute = Math.floor((Date.now() + ms) / 60_000)
    const wait = (Number.parseInt(keyOf(src).slice(0, 2), 16) - (minute % 256) + 256) % 256
    await deleteOrphanFiles(db, env.FILES, (minute + wait) * 60_000)
  }

  it('are deleted once it is withdrawn, and not before', async () => {
    const src = await upload()
    const { id } = await publish({ content: `见下图：![拓扑](${src})` })
    await sweepAfter(src, 30 * DAY_MS)
    expect(await isKept(src)).toBe(true)
    await call(opsApi.withdrawAnnouncement, { id })
    await sweepAfter(src, 30 * DAY_MS)
    expect(await isKept(src)).toBe(false)
    await sweepAfter(src, 30 * DAY_MS)
  })

  it('are deleted where an edit replaces them; what another one shows stays', async () => {
    const [shared, replaced, next] = [await upload(), await upload(), await upload()]
    const { id } = await publish({ content: `![a](${shared}) ![b](${replaced})` })
    await publish({ content: `![a](${shared})` })
    await call(opsApi.editAnnouncement, { id, content: `![b](${next})` })
    for (const src of [shared, replaced, next]) await sweepAfter(src, 2 * DAY_MS)
    expect(await Promise.all([shared, replaced, next].map(isKept))).toEqual([true, false, true])
  })

  it('wait a day for the announcement that will show them', async () => {
    const src = await upload()
    await sweepAfter(src, 0)
    expect(await isKept(src)).toBe(true)
    await sweepAfter(src, 2 * DAY_MS)
    expect(await isKept(src)).toBe(false)
  })
})
