import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { ContactsPage } from '#pages/contacts/contacts-page.tsx'
import { openPage } from '../network/open-page.tsx'

const EMAIL = 'zhang@qiming.example'
const AT = Date.parse('2026-11-20T02:00:00Z')
const CONTACT = {
  uuid: 'c1',
  name: '张三',
  email: EMAIL,
  email_verify: 0,
  email_verify_time: null,
  expire_time: null,
  re_email_verify: 1,
  mail_pending: 0,
  mail_error: '',
  resend_after: 0,
}
const DELIVERY = {
  delivery_id: 'd1',
  alert_id: 'a1',
  kind: 'open',
  channel: 'mail',
  target: EMAIL,
  title: '成员离线：北京分公司',
  state: 'unsent',
  code: '',
  words: '联系人邮箱未验证',
  tries: 0,
  create_time: AT,
  done_time: AT,
  next_time: null,
  waits: 0,
}
const HANDLERS = {
  'contacts/lists': { data: [CONTACT, { ...CONTACT, uuid: 'c2', name: '李四', email: 'li@b.cn' }], count: 2 },
  'monitor/unsent': { data: [{ target: EMAIL, count: 3, last_time: AT }] },
  'monitor/deliveries': { data: [DELIVERY], count: 1, paused: 0 },
}
const open = (user = {}) => openPage(<ContactsPage />, '/account/contacts', HANDLERS, user)

describe('account 2 · the page says which alerts did not go out for a contact', () => {
  it('on its row, with time, event, object and reason behind it', async () => {
    const { api } = open()
    expect(await screen.findAllByRole('button', { name: /条告警未发送/ })).toHaveLength(1)
    await userEvent.click(screen.getByRole('button', { name: '张三 有 3 条告警未发送' }))
    const dialog = within(await screen.findByRole('dialog', { name: '未发送给“张三”的告警' }))
    for (const text of ['成员离线：北京分公司', '联系人邮箱未验证', '2026-11-20 10:00:00'])
      expect(await dialog.findByText(text)).not.toBeNull()
    expect(api.last('monitor/deliveries')?.input).toMatchObject({ target: EMAIL, state: 'unsent' })
  })

  it('not to a role that sees no alerts', async () => {
    const { api } = open({ ram: 1, flags: ['network:edit'] })
    await screen.findByText('张三')
    expect(api.paths()).not.toContain('monitor/unsent')
    expect(screen.queryByRole('button', { name: /条告警未发送/ })).toBeNull()
  })
})
