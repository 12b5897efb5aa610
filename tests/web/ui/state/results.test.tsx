import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { BatchResult } from '#ui/state/batch-result.tsx'
import { Wizard, WizardDone } from '#ui/layout/wizard.tsx'

it('a batch: failures first with their reason, and the totals announced', () => {
  const rows = [
    { name: 'a@demo', done: true },
    { name: 'b@demo', done: false, note: '手机号码重复' },
    { name: 'c@demo', done: true, note: '已发送短信' },
    { name: 'b@demo', done: false, note: '账号重复' }, // a file may name one twice
  ]
  render(<BatchResult label="导入结果" rows={rows} />)
  expect(screen.getByRole('status').textContent).toBe('共 4 条：成功 2，失败 2')
  const lines = screen.getAllByRole('row').slice(1)
  expect(lines.map(({ textContent }) => textContent)).toEqual([
    'b@demo失败手机号码重复',
    'b@demo失败账号重复',
    'a@demo成功—',
    'c@demo成功已发送短信',
  ])
  expect(screen.getByRole('region', { name: '导入结果' }).tabIndex).toBe(0)
})

const STEPS = ['验证身份', '修改密码', '完成']

it('a wizard goes back only to allowed steps, and marks done ones', async () => {
  const onBack = vi.fn<() => void>()
  const { container, rerender } = render(
    <Wizard steps={STEPS} step={0}>
      <input aria-label="账号" />
    </Wizard>,
  )
  expect(screen.queryByRole('button', { name: /返回上一步/ })).toBeNull()
  rerender(
    <Wizard steps={STEPS} step={1} onBack={onBack}>
      <input aria-label="密码" />
    </Wizard>,
  )
  const steps = [...container.querySelectorAll('.semi-steps-item')]
  expect(steps.map(({ textContent }) => textContent)).toEqual(['验证身份', '2修改密码', '3完成'])
  expect(steps.map(({ classList }) => classList.contains('semi-steps-item-done'))).toEqual([true, false, false])
  expect(steps.every((step) => step.closest('[inert]') !== null)).toBe(true) // each would take the focus
  await userEvent.click(screen.getByRole('button', { name: /返回上一步/ }))
  expect(onBack).toHaveBeenCalledTimes(1)
})

it('the last step of a wizard has no field: its text gets the focus', () => {
  const page = (step: number) => (
    <Wizard steps={STEPS} step={step}>
      {step === 2 ? <WizardDone title="密码已修改" /> : <input aria-label="密码" />}
    </Wizard>
  )
  const { rerender } = render(page(1))
  rerender(page(2))
  expect(screen.getByRole('status').textContent).toBe('密码已修改')
  expect(document.activeElement?.contains(screen.getByRole('status'))).toBe(true)
})
