// The page loads these lazily; no test waits for the import.
import '#pages/router/list/batch/claim-many-dialog.tsx'
import '#pages/router/list/claim-dialog.tsx'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { ERRORS } from '#contract/kernel/errors.ts'
import { keepClaim } from '#lib/claim-link.ts'
import { openPage } from './open-page.tsx'

vi.mock('#lib/live/live-connection.ts', () => import('../lib/fake-live.ts'))
beforeEach(() => sessionStorage.clear())

const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))

it('the link of a box fills in serial and code, is there once, and leaves the address', async () => {
  keepClaim('#NL22S033.ABCD-EFGH-JKLM')
  const { api, address } = openPage('/router/lists?claim=1', { 'router/add': { data: { router_name: 'NL22S033' } } })
  const form = await dialog('添加硬件成员')
  expect(form.getByLabelText<HTMLInputElement>(/^序列号/, { selector: 'input' }).value).toBe('NL22S033')
  expect(form.getByLabelText<HTMLInputElement>(/^激活码/, { selector: 'input' }).value).toBe('ABCD-EFGH-JKLM')
  expect(address()).toBe('/router/lists')
  expect(sessionStorage.length).toBe(0)
  await userEvent.click(form.getByRole('button', { name: '添加' })) // as it is
  await waitFor(() =>
    expect(api.last('router/add')?.input).toMatchObject({ username: 'NL22S033', code: 'ABCD-EFGH-JKLM' }),
  )
})

it('many are claimed one by one, with the result of each, and the refused ones can be corrected', async () => {
  const wrong = { code: 422, msg: ERRORS.DEVICE_UNKNOWN.msg, data: { field: 'code' } }
  const { api } = openPage('/router/lists', {
    'router/add': ({ input }) => (input['username'] === 'NL2' ? wrong : { data: { router_name: input['username'] } }),
  })
  await userEvent.click(await screen.findByRole('button', { name: '批量添加' }))
  const form = await dialog('批量添加硬件成员')
  await userEvent.click(form.getByLabelText(/^序列号与激活码/))
  await userEvent.paste('NL1 ABCD-EFGH-JKLM 总部\nNL2 ABCD-EFGH-JKLN\nNL3\nNL4 ABCD-EFGH-JKLP')
  await userEvent.click(form.getByRole('button', { name: '添加' }))
  const result = await dialog('批量添加的结果')
  const rows = result
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.textContent)
  expect(rows).toEqual([`NL2失败${ERRORS.DEVICE_UNKNOWN.msg}`, 'NL3失败请输入激活码', 'NL1成功—', 'NL4成功—'])
  const sent = api.calls
    .filter(({ path }) => path === 'router/add')
    .map(({ input }) => [input['username'], input['note']])
  expect(sent).toEqual([
    ['NL1', '总部'],
    ['NL2', ''],
    ['NL4', ''],
  ])
  await userEvent.click(result.getByRole('button', { name: '修改未成功的行' }))
  const again = await dialog('批量添加硬件成员')
  expect(again.getByLabelText<HTMLTextAreaElement>(/^序列号与激活码/).value).toBe('NL2 ABCD-EFGH-JKLN\nNL3')
})

it('a pause after wrong codes ends the run, and says which lines were not sent', async () => {
  const { api } = openPage('/router/lists', {
    'router/add': { code: 429, msg: '操作过于频繁，请稍后再试', data: { retry_after: 60 } },
  })
  await userEvent.click(await screen.findByRole('button', { name: '批量添加' }))
  const form = await dialog('批量添加硬件成员')
  await userEvent.click(form.getByLabelText(/^序列号与激活码/))
  await userEvent.paste('NL1 ABCD-EFGH-JKLM\nNL2 ABCD-EFGH-JKLN')
  await userEvent.click(form.getByRole('button', { name: '添加' }))
  const result = await dialog('批量添加的结果')
  expect(result.getByText('未处理，请稍后再添加')).not.toBeNull()
  expect(api.paths().filter((path) => path === 'router/add')).toHaveLength(1)
})

it('more than fifty lines are refused before anything is sent', async () => {
  const { api } = openPage('/router/lists', {})
  await userEvent.click(await screen.findByRole('button', { name: '批量添加' }))
  const form = await dialog('批量添加硬件成员')
  await userEvent.click(form.getByLabelText(/^序列号与激活码/))
  await userEvent.paste(Array.from({ length: 51 }, (_, i) => `NL${i} ABCD-EFGH-JKLM`).join('\n'))
  await userEvent.click(form.getByRole('button', { name: '添加' }))
  await form.findByText('一次最多添加 50 台')
  expect(api.paths()).not.toContain('router/add')
})
