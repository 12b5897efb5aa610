import { beforeEach, expect, it } from 'vitest'
import { consumeDraft, dropForeignDrafts, keepDrafts, registerDraft } from '#lib/session/drafts.ts'
import { createUser } from './fixtures.ts'

const owner = createUser()

beforeEach(() => sessionStorage.clear())

it('keeps what open forms hold, and gives each back once', () => {
  const unregister = registerDraft('plan', () => ({ name: '总部' }))
  const other = registerDraft('clean', () => null)
  keepDrafts(owner)
  expect(consumeDraft('clean')).toBeUndefined()
  expect(consumeDraft('plan')).toEqual({ name: '总部' })
  expect(consumeDraft('plan')).toBeUndefined()
  unregister()
  other()
  keepDrafts(owner)
  expect(sessionStorage).toHaveLength(0)
})

it.each([
  ['the same user', createUser(), { name: '总部' }],
  ['another account', createUser({ username: 'demo02' }), undefined],
  ['a sub-account of the same name', createUser({ ram: 1 }), undefined],
])('after a sign-in of %s', (_, user, draft) => {
  const unregister = registerDraft('plan', () => ({ name: '总部' }))
  keepDrafts(owner)
  unregister()
  dropForeignDrafts(user)
  expect(consumeDraft('plan')).toEqual(draft)
})

it('ignores what is no draft', () => {
  sessionStorage.setItem('netloom.drafts', '{')
  expect(consumeDraft('plan')).toBeUndefined()
})
