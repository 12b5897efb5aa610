import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { ERRORS } from '#contract/kernel/errors.ts'
import { createMember } from './fixtures.ts'
import { NOBODY, openPage } from './open-page.tsx'

beforeEach(() => localStorage.clear())

const LIST = { data: [createMember('NL-A')], count: 1, states: { ...NOBODY, online: 1 } }
const openMenu = async () => {
  await userEvent.click(await screen.findByRole('button', { name: '已保存的视图' }))
  return within(await screen.findByRole('group', { name: '已保存的视图' }))
}

it('saves filter, order and shown columns of the list under a name, without the page', async () => {
  const { api } = openPage('/router/lists?search=%E5%8D%8E%E4%B8%9C&state=offline&sort=name&order=asc&page=2', {
    'router/lists': LIST,
    'account/views': { data: [] },
    'account/save_view': { msg: '保存成功' },
  })
  await screen.findByText('NL-A')
  await userEvent.click(screen.getByRole('button', { name: '选择显示的列' }))
  await userEvent.click(await screen.findByRole('checkbox', { name: '组网' }))
  await userEvent.click((await openMenu()).getByRole('button', { name: '保存当前视图' }))
  const dialog = within(await screen.findByRole('dialog', { name: '保存视图' }))
  await userEvent.click(dialog.getByRole('button', { name: '保存' }))
  await dialog.findByText('请输入视图名称')
  await userEvent.type(dialog.getByRole('textbox'), '华东离线')
  await userEvent.click(dialog.getByRole('button', { name: '保存' }))
  await waitFor(() => expect(api.last('account/save_view')?.input).toMatchObject({ list: 'router', name: '华东离线' }))
  const query = new URLSearchParams(api.last('account/save_view')?.input['query'] as string)
  expect(Object.fromEntries(query)).toEqual({
    search: '华东',
    state: 'offline',
    sort: 'name',
    order: 'asc',
    columns: 'networks',
  })
})

it('opens a view with its columns, which further choices change in the address alone, and deletes it', async () => {
  const query = 'columns=networks&sort=name&state=offline'
  const { api, address } = openPage('/router/lists', {
    'router/lists': LIST,
    'account/views': {
      data: [
        { id: 7, list: 'router', name: '华东离线', query },
        { id: 8, list: 'network', name: '别的', query: '' },
      ],
    },
    'account/delete_view': { msg: '删除成功' },
  })
  await screen.findByText('NL-A')
  const headings = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
  expect(headings()).toContain('组网')
  const menu = await openMenu()
  expect(menu.queryByText('别的')).toBeNull()
  await userEvent.click(menu.getByRole('link', { name: '华东离线' }))
  await waitFor(() => expect(address()).toBe(`/router/lists?${query}`))
  expect(headings()).not.toContain('组网')
  expect(api.last('router/lists')?.input).toMatchObject({ sort: 'name', state: 'offline' })
  await userEvent.click(screen.getByRole('button', { name: '选择显示的列' }))
  await userEvent.click(await screen.findByRole('checkbox', { name: '组网' }))
  await waitFor(() => expect(headings()).toContain('组网'))
  expect(address()).toContain('columns=&')
  expect(Object.keys(localStorage).filter((key) => key.startsWith('netloom-columns'))).toEqual([])
  await userEvent.click((await openMenu()).getByRole('button', { name: '删除视图“华东离线”' }))
  await waitFor(() => expect(api.last('account/delete_view')?.input).toEqual({ id: 7 }))
})

it('says why a view could not be saved, and that one of the same name is replaced', async () => {
  const msg = ERRORS.SAVED_VIEWS_FULL.msg.replace('{limit}', '20')
  openPage('/router/lists', {
    'router/lists': LIST,
    'account/views': { data: [{ id: 7, list: 'router', name: '离线', query: 'columns=' }] },
    'account/save_view': { code: 422, msg, reason: 'SAVED_VIEWS_FULL' },
  })
  await userEvent.click((await openMenu()).getByRole('button', { name: '保存当前视图' }))
  const dialog = within(await screen.findByRole('dialog', { name: '保存视图' }))
  await userEvent.type(dialog.getByRole('textbox'), '离线')
  await dialog.findByText('保存后替换同名视图')
  await userEvent.click(dialog.getByRole('button', { name: '保存' }))
  await dialog.findByText(msg)
})
