import { describe, expect, it } from 'vitest'
import { findPlanNames } from '#durable/directory-hub/console-views.ts'
import { LDAP } from '#contract/ldap/limits.ts'
import { planRun } from '#domain/ldap/plan.ts'

describe('directory 2 · names of the plan', () => {
  it('are in the order of names, numbers by their value, over all pages', () => {
    const names = Array.from({ length: LDAP.planNames + 2 }, (_, i) => `user${i + 1}`)
    const members = names.toReversed().map((name, id) => ({
      id,
      uid: name,
      name,
      note: '',
      phone: '',
      status: 1 as const,
      link: { directoryId: name, note: '', isDisabledByRun: false },
    }))
    const plan = planRun({ users: [], members, remaining: 0 })
    const pages = [1, 2].map((page) => findPlanNames(plan, 'disabled', page))
    expect(pages.flatMap((page) => page.names.map(({ name }) => name))).toEqual(names)
    expect(pages.map(({ count }) => count)).toEqual([names.length, names.length])
  })
})
