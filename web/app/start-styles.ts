import { REQUEST_TIMEOUT_MS } from '#contract/kernel/limits.ts'

/* Style sheets of the entry: they wait in the head without a medium, so that they do not hold back the outline of the page. */

const WAITING = 'link[rel="stylesheet"][media="not all"]'

/** Applies them together once all are there, before the sheets of lazy chunks follow. A lost one is waited for ten seconds. */
export async function applyStyles(): Promise<void> {
  const sheets = [...document.querySelectorAll<HTMLLinkElement>(WAITING)]
  await Promise.all(sheets.map(whenLoaded))
  for (const sheet of sheets) sheet.media = 'all'
}

function whenLoaded(link: HTMLLinkElement): Promise<unknown> | null {
  if (link.sheet !== null) return null
  return new Promise((resolve) => {
    for (const type of ['load', 'error']) link.addEventListener(type, resolve, { once: true })
    setTimeout(resolve, REQUEST_TIMEOUT_MS)
  })
}
