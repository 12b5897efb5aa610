import { renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import { useFormStart } from '#ui/form/use-form-start.ts'

const row = (revision: number, name: string) => ({ revision, name })

function open(first: ReturnType<typeof row>) {
  const { result, rerender } = renderHook(
    ({ current }) =>
      useFormStart(
        current,
        async () => undefined,
        ({ name }) => ({ name }),
      ),
    { initialProps: { current: first } },
  )
  return { result, refresh: (current: ReturnType<typeof row>) => rerender({ current }) }
}

it('a refresh with the same values brings its revision: another setting has moved it', () => {
  const { result, refresh } = open(row(1, '总部'))
  refresh(row(2, '总部'))
  expect(result.current.start.revision).toBe(2)
})

it('a refresh with other values changes nothing: the save is refused, and says that somebody else has saved', () => {
  const { result, refresh } = open(row(1, '总部'))
  refresh(row(2, '分部'))
  expect(result.current).toMatchObject({ start: { revision: 1 }, values: { name: '总部' } })
})
