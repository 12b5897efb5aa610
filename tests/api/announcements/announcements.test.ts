import { describe, expect, it } from 'vitest'
import { announcementsApi } from '#contract/announcements/index.ts'
import { opsApi } from '#contract/ops/index.ts'
import { createMainAccount, createSubAccount, unique } from '#tests/support/fixtures.ts'
import { call, refusal } from '#tests/support/test-worker.ts'

describe('account 7 · announcements/lists and announcements/info', () => {
  it('pages what the operator published, newest first, for any session', async () => {
    const titles = Array.from({ length: 12 }, (_, i) => `${unique('公告')} ${i}`)
    const before = Date.now()
    for (const title of titles)
      await call(opsApi.publishAnnouncement, { title, tag: '产品', content: `# ${title}\n\n正文` })
    const main = await createMainAccount()
    const first = await main.call(announcementsApi.lists, {})
    expect(first).toMatchObject({ code: 200, count: 12, trips: 1 })
    expect(first.data.map(({ title }) => title)).toEqual(titles.toReversed().slice(0, 10))
    expect(first.data[0]).not.toHaveProperty('content')
    const sub = await createSubAccount(main)
    expect((await sub.call(announcementsApi.lists, { page: 2 })).data).toHaveLength(2)

    const info = await sub.call(announcementsApi.info, { id: first.data[0]!.id })
    expect(info).toMatchObject({
      trips: 1,
      data: { title: titles[11], tag: '产品', content: `# ${titles[11]}\n\n正文` },
    })
    expect(info.data.release_time).toBeGreaterThanOrEqual(before)
  })

  it('answers an unknown id with 204, and no id as invalid', async () => {
    const main = await createMainAccount()
    expect(await main.call(announcementsApi.info, { id: 999_999 })).toMatchObject(refusal('ANNOUNCEMENT_NOT_FOUND'))
    expect((await main.call(announcementsApi.info, { id: 'x' })).code).toBe(422)
    expect(await call(announcementsApi.lists, {})).toMatchObject(refusal('TOKEN_BAD'))
  })
})
