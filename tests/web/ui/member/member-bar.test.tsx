import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { NO_MEMBERS, toStateShares } from '#domain/health/member.ts'
import { MemberBar } from '#ui/member/member-bar.tsx'

const shares = (bar: HTMLElement) =>
  [...bar.children].map((part) => [(part as HTMLElement).dataset.state, (part as HTMLElement).style.flexGrow])

it('has a part for each state that there is, in the order of the lists, and says their numbers', () => {
  render(<MemberBar label="硬件成员" states={toStateShares({ ...NO_MEMBERS, never: 10, online: 30 })} />)
  expect(shares(screen.getByRole('img', { name: '硬件成员：在线 30，从未上线 10' }))).toEqual([
    ['online', '0.75'],
    ['never', '0.25'],
  ])
})

it('is empty without members', () => {
  render(<MemberBar label="软件成员" states={[]} />)
  expect(shares(screen.getByRole('img', { name: '软件成员：暂无' }))).toEqual([])
})
