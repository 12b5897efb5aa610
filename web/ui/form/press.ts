/* Delay of work, such as validation on blur, until the press of the mouse that causes it has become a click. */

let isPressed = false
const waiting = new Set<() => void>()

function runWaiting(): void {
  const runs = [...waiting]
  waiting.clear()
  for (const run of runs) run()
}

/** The click, if any, follows the release in the same task. */
const release = () => {
  isPressed = false
  setTimeout(runWaiting)
}

document.addEventListener('mousedown', () => (isPressed = true), true)
for (const event of ['mouseup', 'dragend'] as const) document.addEventListener(event, release, true)
document.addEventListener('click', () => queueMicrotask(runWaiting)) // after the page has shown what its handlers did
window.addEventListener('blur', release)

/** Runs at once, or after the press under way: an error line that appears in between moves the target of its click. */
export function afterPress(run: () => void): void {
  if (isPressed) waiting.add(run)
  else run()
}
