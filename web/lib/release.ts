import { pageMoves } from './page-moves.ts'

const LOOK_MS = 3_000
const RELOADED_FOR = 'netloom.release'
const ENTRY = 'script[type="module"][src]'

/** The hashed name of the script a document starts with: it changes with every release. */
function entryOf(page: Document): string | null {
  return page.querySelector(ENTRY)?.getAttribute('src') ?? null
}

async function newestEntry(): Promise<string | null> {
  const answer = await fetch('/', { cache: 'no-store', signal: AbortSignal.timeout(LOOK_MS) })
  if (!answer.ok) return null
  return entryOf(new DOMParser().parseFromString(await answer.text(), 'text/html'))
}

/**
 * After a release the chunks of the page before are gone. Where that is why something did not load, the page is loaded
 * anew: once for each release, so that a release that is itself broken makes no loop. Without a network nothing happens,
 * because a reload would take away the page that is there. True when the page is on its way out.
 */
export async function reloadIfReleased(): Promise<boolean> {
  try {
    const newest = await newestEntry()
    if (newest === null || newest === entryOf(document) || newest === sessionStorage.getItem(RELOADED_FOR)) return false
    sessionStorage.setItem(RELOADED_FOR, newest)
  } catch {
    return false // no answer; or storage is blocked, and nothing could stop a loop
  }
  pageMoves.reload()
  return true
}
