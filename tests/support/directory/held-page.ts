import type { Connect } from '#durable/directory-hub/connection/connect.ts'

export interface HeldPage {
  readonly connect: Connect
  /** Users of each page of the newest listing. */
  readonly pages: readonly number[]
  /** The next listing waits after its first page until `release`. */
  hold(): { readonly reached: () => Promise<void>; readonly release: () => void }
}

/** Counts the pages of listings, and holds one between two of them. */
export function holdFirstPage(connect: Connect): HeldPage {
  const pages: number[] = []
  let hold: { isReached: boolean; isReleased: boolean } | null = null
  const afterPage = async () => {
    if (hold === null || pages.length > 1) return
    const held = hold
    hold = null
    held.isReached = true
    await until(() => held.isReleased)
  }
  return {
    pages,
    hold: () => {
      const held = { isReached: false, isReleased: false }
      hold = held
      return { reached: () => until(() => held.isReached), release: () => void (held.isReleased = true) }
    },
    connect: async (values, password) => {
      const connection = await connect(values, password)
      return {
        ...connection,
        listUsers: (query, onPage) => {
          pages.length = 0
          return connection.listUsers(query, async (users) => {
            await onPage(users)
            pages.push(users.length)
            await afterPage()
          })
        },
      }
    },
  }
}

/** By polling: a hub cannot wait for a promise of a test. */
async function until(is: () => boolean): Promise<void> {
  while (!is()) await new Promise((resolve) => setTimeout(resolve, 2))
}
