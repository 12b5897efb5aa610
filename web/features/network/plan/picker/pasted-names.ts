import { codeText } from '#contract/kernel/input/typed-text.ts'
import type { MemberOption } from './member-plan.ts'

/* Serial numbers and accounts that are pasted as one text. */

/** Most names of one paste. */
export const PASTED_MAX = 500

/** Names of a text, one a line or separated by blanks and punctuation; each once. */
export const splitNames = (text: string): readonly string[] => [
  ...new Map(
    codeText(text)
      .split(/[\s,;，；、]+/)
      .filter((name) => name !== '')
      .map((name) => [name.toLowerCase(), name]),
  ).values(),
]

/** Members that the names mean, and the names of none. An account may come without its suffix. */
export function matchNames(names: readonly string[], found: readonly MemberOption[]) {
  const byName = new Map(found.map((option) => [option.router_name.toLowerCase(), option]))
  const byAccount = new Map(found.map((option) => [option.router_name.toLowerCase().split('@')[0], option]))
  const members = new Map<string, MemberOption>()
  const unknown: string[] = []
  for (const name of names) {
    const member = byName.get(name.toLowerCase()) ?? byAccount.get(name.toLowerCase())
    if (member === undefined) unknown.push(name)
    else members.set(member.router_name, member)
  }
  return { members: [...members.values()], unknown }
}
