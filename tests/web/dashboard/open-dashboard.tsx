import { render, screen, within } from '@testing-library/react'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router'
import { SWRConfig } from 'swr'
import type { UserInfo } from '#contract/account/user-info.ts'
import type { Overview } from '#contract/overview/index.ts'
import { DashboardPage } from '#pages/dashboard/dashboard-page.tsx'
import { AccountLive } from '#lib/live/account-live.tsx'
import { adoptSession } from '#lib/session/session.ts'
import { fakeApi } from '../lib/fake-api.ts'
import { createSession } from '../lib/fixtures.ts'
import { NO_FAULTS, createAttentionRow, createOverview } from './overview-fixture.ts'

const ANNOUNCEMENTS = { data: [{ id: 1, title: '维护通知', tag: '维护', release_time: 0 }], count: 1 }

interface DashboardCase {
  readonly overview?: Partial<Overview>
  readonly user?: Partial<UserInfo>
  readonly at?: string
  readonly handlers?: Parameters<typeof fakeApi>[0]
}

/** The page with its reads answered; the test mocks the live connection. */
export function openDashboard({ overview = {}, user = {}, at = '/dashboard', handlers = {} }: DashboardCase = {}) {
  Element.prototype.scrollIntoView = () => {} // jsdom has none
  history.replaceState(null, '', at)
  adoptSession(createSession(user))
  const api = fakeApi({
    'announcements/lists': ANNOUNCEMENTS,
    'overview/info': { data: createOverview(overview) },
    ...handlers,
  })
  const wrapper = ({ children }: { children: ReactNode }) => (
    <SWRConfig value={{ provider: () => new Map() }}>
      <MemoryRouter initialEntries={[at]}>
        <AccountLive>{children}</AccountLive>
      </MemoryRouter>
    </SWRConfig>
  )
  render(<DashboardPage />, { wrapper })
  return api
}

/** A card, or the status line, by its heading. */
export const card = async (title: string) => within(await screen.findByRole('region', { name: title }))
export const hrefs = (links: readonly HTMLElement[]) =>
  links.map((link) => [link.textContent, link.getAttribute('href')])
/** Members offline, and one link down. */
export const faulty = (count: number): Partial<Overview> => ({
  status: { ...NO_FAULTS, hardware_offline: count, links_down: 1 },
  attention: {
    count: count + 1,
    rows: [
      ...Array.from({ length: count }, (_, n) =>
        createAttentionRow('member_offline', `门店${n + 1}`, { type: 'router', router_name: `R${n + 1}` }),
      ),
      createAttentionRow('link_down', '备用线', { type: 'link', network_number: 'N1', router_name: 'R9' }),
    ],
  },
})
