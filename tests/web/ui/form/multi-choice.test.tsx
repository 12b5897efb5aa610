import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it } from 'vitest'
import { MultiChoice } from '#ui/form/inputs/multi-choice.tsx'

const OPTIONS = ['总部', '华东', '华南'].map((label, n) => ({ value: `260000000${n}`, label, second: `260000000${n}` }))

function open(start: readonly string[], options: typeof OPTIONS = OPTIONS) {
  const changes: (readonly string[])[] = []
  function Sample() {
    const [value, setValue] = useState(start)
    const change = (next: string[]) => {
      changes.push(next)
      setValue(next)
    }
    return (
      <MultiChoice
        label="组网"
        options={options}
        value={value}
        onChange={change}
        searchLabel="搜索组网"
        emptyText="还没有组网"
        missingText="已删除"
      />
    )
  }
  render(<Sample />)
  return { last: () => changes.at(-1) }
}

describe('choice of many among many', () => {
  it('chooses by click, in the order of the options, and counts', async () => {
    const { last } = open([])
    await userEvent.click(screen.getByText('华南'))
    await userEvent.click(screen.getByText('总部'))
    expect(last()).toEqual(['2600000000', '2600000002'])
    expect(screen.getByRole('status').textContent).toBe('已选 2 / 3')
  })

  it('keeps what the search hides, and takes all that it finds', async () => {
    const { last } = open(['2600000000'])
    await userEvent.type(screen.getByLabelText('搜索组网'), '华')
    expect(screen.queryByText('总部')).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: '全选' }))
    expect(last()).toEqual(['2600000000', '2600000001', '2600000002'])
    await userEvent.click(screen.getByRole('button', { name: '取消全选' }))
    expect(last()).toEqual(['2600000000'])
  })

  it('finds by number as it is copied, and says where nothing is found', async () => {
    open([])
    await userEvent.type(screen.getByLabelText('搜索组网'), '\u200B0001\u3000')
    expect(screen.getByText('华东')).not.toBeNull()
    await userEvent.type(screen.getByLabelText('搜索组网'), 'x')
    expect(screen.getByText('没有找到')).not.toBeNull()
  })

  it('shows a value that is no option, to be taken out', async () => {
    const { last } = open(['1111111111', '2600000001'])
    expect(screen.getByText('已删除')).not.toBeNull()
    await userEvent.click(screen.getByText('1111111111'))
    expect(last()).toEqual(['2600000001'])
  })

  it('says where there is nothing to choose from', () => {
    open([], [])
    expect(screen.getByText('还没有组网')).not.toBeNull()
  })
})
