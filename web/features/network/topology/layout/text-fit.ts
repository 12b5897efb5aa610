/* Text widths and cuts for the topology drawing, computed without a browser. */

/** Widths in em of the console's fonts, rounded up: a cut text must never reach beyond its border. */
const EM = { wide: 1, capital: 0.76, narrow: 0.36, digit: 0.6, other: 0.62 } as const

function emOf(character: string): number {
  if (/[\u2e80-\uffef\u2026]/.test(character)) return EM.wide
  if (/[mwMW@%&]/.test(character)) return EM.wide
  if (/[A-Z]/.test(character)) return EM.capital
  if (/[0-9]/.test(character)) return EM.digit
  return /[iljtfrI.,:;|!'·\s]/.test(character) ? EM.narrow : EM.other
}

/** Size of the second line of a node. */
export const SUB_PX = 12

/** Share of the width for the end of a name that is cut in its middle. */
const END_SHARE = 0.4

/** Largest width that a text can take. */
export function textWidth(text: string, fontPx: number): number {
  let width = 0
  for (const character of text) width += emOf(character) * fontPx
  return width
}

/** Cuts a text at its end, with an ellipsis, to a width. */
export function fitText(text: string, fontPx: number, widthPx: number): string {
  if (textWidth(text, fontPx) <= widthPx) return text
  let quota = widthPx - textWidth('…', fontPx)
  let cut = ''
  for (const character of text) {
    quota -= textWidth(character, fontPx)
    if (quota < 0) break
    cut += character
  }
  return `${cut.trimEnd()}…`
}

/** Cuts a name in its middle: names that begin alike differ at their ends. */
export function fitName(name: string, fontPx: number, widthPx: number): string {
  if (textWidth(name, fontPx) <= widthPx) return name
  let end = ''
  for (const character of Array.from(name).toReversed()) {
    if (textWidth(character + end, fontPx) > widthPx * END_SHARE) break
    end = character + end
  }
  const start = name.slice(0, name.length - end.length)
  return fitText(start, fontPx, widthPx - textWidth(end, fontPx)) + end.trimStart()
}
