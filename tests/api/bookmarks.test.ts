import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { accountApi } from '#contract/account/index.ts'
import { BOOKMARK_HEADER, isBookmark, isD1Bookmark, writtenAt } from '#contract/kernel/bookmark.ts'
import { networkApi } from '#contract/network/index.ts'
import { countryApi } from '#contract/country/index.ts'
import { loginApi } from '#contract/login/index.ts'
import { createMainAccount } from '#tests/support/fixtures.ts'
import { call } from '#tests/support/test-worker.ts'

const VIEW = { list: 'router', name: '华东', query: 'state=offline' } as const
const bookmarkOf = ({ headers }: { readonly headers: Headers }) => headers.get(BOOKMARK_HEADER) ?? ''

describe('design 5 · the bookmark of an answer', () => {
  it('comes with each write, and sorts by age; strangers get none', async () => {
    const main = await createMainAccount()
    const bookmarks = [bookmarkOf(await main.call(accountApi.saveView, VIEW))]
    await scheduler.wait(2) // of libSQL it is a time
    bookmarks.push(bookmarkOf(await main.call(accountApi.saveView, { ...VIEW, name: '华北' })))
    expect(bookmarks.every(isBookmark)).toBe(true)
    expect(bookmarks.toSorted()).toEqual(bookmarks)
    expect(bookmarks[0]).not.toBe(bookmarks[1])
    for (const stranger of [await call(loginApi.refresh, {}), await call(countryApi.lists, {}, main.token)])
      expect(bookmarkOf(stranger)).toBe('')
  })

  it('of D1 comes with each read and each refusal too; of libSQL only where it has a replica', async () => {
    const main = await createMainAccount()
    const read = bookmarkOf(await main.call(networkApi.select, {}))
    const refused = bookmarkOf(await main.call(networkApi.info, { network_number: 'N0' }))
    const isOfD1 = env.LIBSQL_URL === undefined
    expect([isD1Bookmark(read), isD1Bookmark(refused)]).toEqual([isOfD1, isOfD1])
    const written = bookmarkOf(await main.call(accountApi.saveView, VIEW))
    expect(writtenAt(written) === null).toBe(isOfD1)
  })
})
