import { render } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { AccountLive, useAccountLive } from '#lib/live/account-live.tsx'
import { emitFrame, missFrames } from './fake-live.ts'

vi.mock('#lib/live/live-connection.ts', () => import('./fake-live.ts'))

const onMissed = vi.fn<() => void>()

function Page() {
  return useAccountLive(() => {}, onMissed)
}

it('tells a page that it missed what changed before the channel opened, once, and each later gap', async () => {
  render(
    <AccountLive>
      <Page />
    </AccountLive>,
  )
  const counted = (unread: number) => emitFrame('account', { type: 'account', data: { unread } })
  await counted(0)
  expect(onMissed).toHaveBeenCalledTimes(1)
  await counted(1)
  expect(onMissed).toHaveBeenCalledTimes(1)
  await missFrames('account')
  expect(onMissed).toHaveBeenCalledTimes(2)
})
