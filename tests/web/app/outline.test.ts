import { expect, it } from 'vitest'
import { toPageStart } from '#domain/site/outline.ts'
import { type LayoutName, PAGES } from '#app/pages.ts'
import { publicPaths } from '#lib/public-paths.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const FRAME = { public: 'form', second: 'plain', console: 'console', bare: null } as const satisfies Record<
  LayoutName,
  string | null
>
const isLogin = (path: string) => path.startsWith(publicPaths.login)

it('the outline of every page is the frame of its layout, or of the page to which the guard leads', async () => {
  const offenders = await findOffenders(PAGES)(({ path, layout, access }) => {
    expect(toPageStart(path, true).frame).toBe(isLogin(path) ? FRAME.console : FRAME[layout])
    expect(toPageStart(path, false).frame).toBe(access === 'public' ? FRAME[layout] : FRAME.public)
  })
  expect(offenders).toEqual([])
})
