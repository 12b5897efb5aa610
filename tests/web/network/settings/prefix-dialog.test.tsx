import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { ERRORS } from '#contract/kernel/errors.ts'
import { createImpact } from '../impact.ts'
import { editSetting } from '../open-network.tsx'
import { ALL, field, openTwin, save } from './open-twin.tsx'

describe('the prefix dialog', () => {
  const row = { ip: '10.1.0.0', mask: 16, name: '总部', permission: 'permit', ge: null, le: 32 }
  const read = (...rows: object[]) => ({ data: rows, count: 0, revision: 5 })
  const openPrefixes = async (rows: readonly object[], user = {}) => {
    const opened = openTwin(
      {},
      {
        'network/prefix': read(...rows),
        'network/edit_prefix': { msg: '设置成功', data: [{ row: 0, old: '10.2.3.4/16', new: '10.2.0.0/16' }] },
      },
      user,
    )
    await editSetting('网络号')
    await screen.findByRole('button', { name: '添加一行' })
    return opened
  }

  it('shows what will be corrected, sends the rows, and says what was', async () => {
    const { api } = await openPrefixes([row])
    fireEvent.change(await field('网络号'), { target: { value: '10.2.3.4' } })
    await screen.findByText('保存时将更正网络号：10.2.3.4/16 → 10.2.0.0/16')
    await save()
    await screen.findByText('已更正 10.2.3.4/16 → 10.2.0.0/16')
    expect(api.last('network/edit_prefix')?.input).toEqual({
      network_number: 'N1',
      prefix: [{ ...row, ip: '10.2.3.4' }],
      revision: 5,
    })
  })

  const lost = {
    ...createImpact({ routers: 9, routes: { lost: 1, gained: 0, moved: 0 } }),
    moved_routes: [
      {
        prefix: '10.77.6.0/24',
        router_name: 'p1',
        router_name_note: '门店',
        effect: 'lost',
        old_via: ['总部'],
        new_via: [],
      },
    ],
  }

  it('asks before a save that cuts segments off, however fast it is, and names them', async () => {
    const { api } = await openPrefixes([])
    api.set('network/impact', { data: lost })
    await userEvent.click(screen.getByRole('button', { name: '添加一行' }))
    fireEvent.change(await field('网络号'), { target: { value: '10.77.5.0' } })
    fireEvent.change(await field('掩码'), { target: { value: '24' } })
    await save()
    const question = within(await screen.findByRole('alertdialog', { name: '保存后 1 个网段将不再互通，是否继续？' }))
    question.getByText('10.77.6.0/24（门店）不再互通')
    await userEvent.click(question.getByRole('button', { name: '返回修改' }))
    expect(api.last('network/edit_prefix')).toBeUndefined()
    await save()
    await userEvent.click(await screen.findByRole('button', { name: '仍然保存' }))
    await waitFor(() => expect(api.last('network/edit_prefix')).toBeDefined())
    for (const button of screen.queryAllByRole('button', { name: '关闭提示' })) await userEvent.click(button)
  })

  it('asks with 至少 where few members were compared', async () => {
    const { api } = await openPrefixes([])
    api.set('network/impact', { data: { ...lost, routes_partial: 1 } })
    await userEvent.click(screen.getByRole('button', { name: '添加一行' }))
    fireEvent.change(await field('网络号'), { target: { value: '10.77.5.0' } })
    fireEvent.change(await field('掩码'), { target: { value: '24' } })
    await save()
    const question = await screen.findByRole('alertdialog', { name: '保存后至少 1 个网段将不再互通，是否继续？' })
    expect(question.textContent).toContain('仅比较了部分成员的路由')
    await userEvent.click(within(question).getByRole('button', { name: '返回修改' }))
    for (const button of screen.queryAllByRole('button', { name: '关闭提示' })) await userEvent.click(button)
  })

  it('offers a last row that permits the rest; new rows go before it', async () => {
    const { api } = await openPrefixes([row])
    await userEvent.click(screen.getByRole('button', { name: '其余允许' }))
    expect(screen.queryByRole('button', { name: '其余允许' })).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: '添加一行' }))
    const added = within(screen.getByRole('group', { name: '第 2 条' }))
    fireEvent.change(added.getByLabelText('网络号'), { target: { value: '10.8.0.0' } })
    fireEvent.change(added.getByLabelText('掩码'), { target: { value: '16' } })
    await save()
    await waitFor(() =>
      expect(api.last('network/edit_prefix')?.input).toMatchObject({
        prefix: [{ ip: '10.1.0.0' }, { ip: '10.8.0.0' }, { ip: '0.0.0.0', mask: 0, permission: 'permit', le: 32 }],
      }),
    )
  })

  it('shows rows of both where somebody else was faster', async () => {
    const { api } = await openPrefixes([row])
    const theirs = { ...row, ip: '10.7.0.0' }
    api.set('network/edit_prefix', ({ input }) =>
      input['revision'] === 5
        ? { code: 422, msg: ERRORS.SETTING_CHANGED.msg, reason: 'SETTING_CHANGED' }
        : { msg: '设置成功', data: [] },
    )
    await userEvent.click(screen.getByRole('button', { name: '添加一行' }))
    const added = within(screen.getByRole('group', { name: '第 2 条' }))
    fireEvent.change(added.getByLabelText('网络号'), { target: { value: '10.8.0.0' } })
    fireEvent.change(added.getByLabelText('掩码'), { target: { value: '16' } })
    await save()
    api.set('network/prefix', { ...read(row, theirs), revision: 6 } as never)
    await userEvent.click(await screen.findByRole('button', { name: '合并最新配置后继续' }))
    await screen.findByRole('group', { name: '第 3 条' })
    const shown = screen.getAllByLabelText<HTMLInputElement>('网络号').map(({ value }) => value)
    expect(shown).toEqual(['10.1.0.0', '10.8.0.0', '10.7.0.0'])
    await save()
    const prefix = shown.map((ip) => ({ ip }))
    await waitFor(() => expect(api.last('network/edit_prefix')?.input).toMatchObject({ revision: 6, prefix }))
  })

  it('has the advanced fields with their flag alone', async () => {
    await openPrefixes([row])
    expect(screen.queryByLabelText('ge')).toBeNull()
  })

  it('takes text, one row a line, and leaves the lines that it cannot read', async () => {
    await openPrefixes([row], ALL)
    expect(screen.queryByLabelText('ge')).not.toBeNull()
    await userEvent.click(screen.getByRole('button', { name: '粘贴文本' }))
    const box = screen.getByLabelText<HTMLTextAreaElement>('网络号文本，每行一条')
    fireEvent.change(box, { target: { value: '172.16.0.0/12 # 机房\nnonsense' } })
    await userEvent.click(screen.getByRole('button', { name: '追加到列表' }))
    await screen.findByText('已读入 1 条，第 2 行无法识别，请修改后重试')
    expect(box.value).toBe('nonsense')
    expect(
      within(screen.getByRole('group', { name: '第 2 条' })).getByLabelText<HTMLInputElement>('网络号').value,
    ).toBe('172.16.0.0')
  })

  it('copies its rows as text', async () => {
    const user = userEvent.setup()
    await openPrefixes([row, { ...row, ip: '10.3.0.0', name: '', permission: 'deny' }])
    await user.click(screen.getByRole('button', { name: '复制为文本' }))
    await screen.findByText('已复制 2 条')
    expect(await navigator.clipboard.readText()).toBe('10.1.0.0/16 # 总部\n10.3.0.0/16 deny')
  })

  it('goes to the page of the row that is wrong', async () => {
    await openPrefixes(Array.from({ length: 10 }, (_, i) => ({ ...row, ip: `10.${i + 1}.0.0` })))
    await userEvent.click(screen.getByRole('button', { name: '添加一行' }))
    screen.getByRole('group', { name: '第 11 条' })
    await userEvent.click(screen.getByRole('button', { name: '第一页' }))
    expect(screen.queryByRole('group', { name: '第 11 条' })).toBeNull()
    await save()
    await screen.findByText('请输入正确的网络号')
  })

  it('goes to the page of the row that is refused, and says it there alone', async () => {
    const { api } = await openPrefixes(Array.from({ length: 11 }, (_, i) => ({ ...row, ip: `10.${i + 1}.0.0` })))
    api.set('network/edit_prefix', { code: 422, msg: '网络号重复', data: { field: 'prefix.10.ip' } })
    fireEvent.change(screen.getAllByLabelText('名称')[0]!, { target: { value: '一区' } })
    await save()
    const wrong = within(await screen.findByRole('group', { name: '第 11 条' }))
    expect(wrong.getByRole('alert').textContent).toBe('网络号重复')
    expect(screen.getAllByText('网络号重复')).toHaveLength(1)
  })

  it('says what is wrong with a column that it does not show', async () => {
    const { api } = await openPrefixes([row])
    await userEvent.click(screen.getByRole('button', { name: '粘贴文本' }))
    const box = screen.getByLabelText<HTMLTextAreaElement>('网络号文本，每行一条')
    fireEvent.change(box, { target: { value: '172.16.0.0/12 le 8' } })
    await userEvent.click(screen.getByRole('button', { name: '追加到列表' }))
    await save()
    const dialog = within(await screen.findByRole('dialog', { name: '设置网络号' }))
    await waitFor(() => expect(dialog.getAllByRole('alert').length).toBeGreaterThan(0))
    expect(api.last('network/edit_prefix')).toBeUndefined()
  })
})
