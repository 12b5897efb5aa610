import { screen } from '@testing-library/react'
import type { ComponentType } from 'react'
import { beforeEach, describe, expect, it } from 'vitest'
import { ServiceListPage } from '#pages/account/services/service-list-page.tsx'
import { AnnouncementListPage } from '#pages/announcements/announcement-list-page.tsx'
import { ContactsPage } from '#pages/contacts/contacts-page.tsx'
import { MessageListPage } from '#pages/message/message-list-page.tsx'
import { MonitorPage } from '#pages/monitor/monitor-page.tsx'
import { FrListPage } from '#pages/network/pop/fr-list-page.tsx'
import { NetworkListPage } from '#pages/network/list/network-list-page.tsx'
import { TicketListPage } from '#pages/network/pop/tickets/ticket-list-page.tsx'
import { PoolListPage } from '#pages/bandwidth-pool/pool-list-page.tsx'
import { SaasListPage } from '#pages/saas/saas-list-page.tsx'
import { noOtherTabs } from '../lib/fake-api.ts'
import { openPage } from '../network/open-page.tsx'

const EMPTY = { data: [], count: 0 }
const MESSAGES = { ...EMPTY, unread: 0 }
const ALERTS = { ...EMPTY, open: 0 }
const OFF = { 'monitor/config': { data: { enable: 0 } } }

interface EmptyList {
  readonly address: string
  readonly Page: ComponentType
  readonly handlers: Parameters<typeof openPage>[2]
  /** Label of the button that adds the first entry; null if nobody in the console can. */
  readonly action: string | null
  readonly isForAll?: boolean
}

const PAGES: readonly EmptyList[] = [
  { address: '/network/lists', Page: NetworkListPage, handlers: { 'network/lists': EMPTY }, action: '创建组网' },
  {
    address: '/network/fr_lists',
    Page: FrListPage,
    handlers: { 'network_fr/lists': EMPTY },
    action: '选择组网接入POP',
  },
  {
    address: '/network/ticket_lists',
    Page: TicketListPage,
    handlers: { 'network/ticket_lists': EMPTY },
    action: '选择组网接入POP',
  },
  { address: '/saas/router', Page: SaasListPage, handlers: { 'saas/router': { data: [] } }, action: null },
  { address: '/saas/bandwidth_pool', Page: PoolListPage, handlers: { 'bandwidth_pool/lists': EMPTY }, action: null },
  { address: '/account/contacts', Page: ContactsPage, handlers: { 'contacts/lists': EMPTY }, action: '添加联系人' },
  {
    address: '/account/service',
    Page: ServiceListPage,
    handlers: { 'account/service': EMPTY },
    action: '联系服务商',
    isForAll: true,
  },
  {
    address: '/account/message',
    Page: MessageListPage,
    handlers: { 'message/lists': MESSAGES },
    action: null,
  },
  {
    address: '/account/announcements',
    Page: AnnouncementListPage,
    handlers: { 'announcements/lists': EMPTY },
    action: null,
  },
  { address: '/monitor/setting', Page: MonitorPage, handlers: OFF, action: '启动监控' },
  {
    address: '/monitor/setting?tab=alerts',
    Page: MonitorPage,
    handlers: { ...OFF, 'monitor/alerts': ALERTS },
    action: '启动监控',
  },
  {
    address: '/monitor/setting?tab=deliveries',
    Page: MonitorPage,
    handlers: { ...OFF, 'monitor/deliveries': EMPTY },
    action: '启动监控',
  },
  {
    address: '/monitor/setting?tab=mutes',
    Page: MonitorPage,
    handlers: { ...OFF, 'monitor/mutes': { data: [] } },
    action: '添加静默',
  },
]

beforeEach(noOtherTabs)

/** Buttons within the empty state. */
const emptyActions = async () => {
  const title = await screen.findByText(/^(好像没有什么东西哦！|监控告警未启动)$/)
  return [...title.closest('.nl-state')!.querySelectorAll('button')].map((button) => button.textContent)
}

describe('account 2 · an empty list carries the action that fills it', () => {
  it.each(PAGES)('$address', async ({ address, Page, handlers, action }) => {
    openPage(<Page />, address, handlers)
    await expect.poll(emptyActions).toEqual(action === null ? [] : [action])
  })

  it.each(PAGES)(
    '$address: not for a role without the right',
    async ({ address, Page, handlers, action, isForAll }) => {
      openPage(<Page />, address, handlers, { ram: 1, flags: ['monitor:view'], networks: null })
      expect(await emptyActions()).toEqual(isForAll ? [action] : [])
    },
  )
})
