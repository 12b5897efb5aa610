/** True where a sheet's XML has a value in a row behind the last that is read, which would be dropped silently. */
export function hasValuesBeyond(xml: string, rowsMax: number): boolean {
  let row = 0
  for (const match of xml.matchAll(/<(?:\w+:)?row(\s[^>]*)?>/g)) {
    const number = / r=["'](\d+)["']/.exec(match[1] ?? '')?.[1]
    row = number === undefined ? row + 1 : Number(number)
    if (row > rowsMax) return /<(?:\w+:)?[vt][\s>]/.test(xml.slice(match.index))
  }
  return false
}
