import { screen } from '@testing-library/react'
import type { ComponentType } from 'react'
import { describe, expect, it } from 'vitest'
import { ServiceListPage } from '../../../web/features/account/pages/service-list-page.tsx'
import { AnnouncementListPage } from '../../../web/features/announcements/pages/announcement-list-page.tsx'
import { ContactsPage } from '../../../web/features/contacts/pages/contacts-page.tsx'
import { MessageListPage } from '../../../web/features/message/pages/message-list-page.tsx'
import { MonitorPage } from '../../../web/features/monitor/pages/monitor-page.tsx'
import { FrListPage } from '../../../web/features/network/pages/fr-list-page.tsx'
import { NetworkListPage } from '../../../web/features/network/pages/network-list-page.tsx'
import { TicketListPage } from '../../../web/features/network/pages/ticket-list-page.tsx'
import { openPage } from '../network/open-page.tsx'

const EMPTY = { data: [], count: 0 }
const OFF = { 'monitor/config': { data: { enable: 0 } } }

/** List pages, and the action that fills each; null where nobody in the console can. */
const PAGES: readonly (readonly [string, ComponentType, Record<string, object>, string | null, isForAll?: boolean])[] =
  [
    ['/network/lists', NetworkListPage, { 'network/lists': EMPTY }, '创建组网'],
    ['/network/fr_lists', FrListPage, { 'network_fr/lists': EMPTY }, '选择组网接入POP'],
    ['/network/ticket_lists', TicketListPage, { 'network/ticket_lists': EMPTY }, '选择组网接入POP'],
    ['/account/contacts', ContactsPage, { 'contacts/lists': EMPTY }, '添加联系人'],
    ['/account/service', ServiceListPage, { 'account/service': EMPTY }, '联系服务商', true],
    ['/account/message', MessageListPage, { 'message/lists': { ...EMPTY, unread: 0 } }, null],
    ['/account/announcements', AnnouncementListPage, { 'announcements/lists': EMPTY }, null],
    ['/monitor/setting', MonitorPage, OFF, '启动监控'],
    ['/monitor/setting?tab=alerts', MonitorPage, { ...OFF, 'monitor/alerts': { ...EMPTY, open: 0 } }, '启动监控'],
    ['/monitor/setting?tab=deliveries', MonitorPage, { ...OFF, 'monitor/deliveries': EMPTY }, '启动监控'],
    ['/monitor/setting?tab=mutes', MonitorPage, { ...OFF, 'monitor/mutes': { data: [] } }, '添加静默'],
  ]

/** Buttons within the empty state. */
const emptyActions = async () => {
  const title = await screen.findByText(/^(好像没有什么东西哦！|监控告警未启动)$/)
  return [...title.closest('.nl-state')!.querySelectorAll('button')].map((button) => button.textContent)
}

describe('account 2 · an empty list carries the action that fills it', () => {
  it.each(PAGES)('%s', async (address, Page, handlers, action) => {
    openPage(<Page />, address, handlers)
    await expect.poll(emptyActions).toEqual(action === null ? [] : [action])
  })

  it.each(PAGES)('%s: not for a role without the right', async (address, Page, handlers, action, isForAll = false) => {
    openPage(<Page />, address, handlers, { ram: 1, flags: ['monitor:view'], networks: null })
    expect(await emptyActions()).toEqual(isForAll ? [action] : [])
  })
})
