/** `K7Q2-9XTM`, as people read it. */
export const formatSourceCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`

/** The name under which a build is saved: the client reads the ID from it. `Netloom.exe` is `Netloom-K7Q2-9XTM.exe`. */
export function nameWithSource(fileName: string, code: string): string {
  const [, stem = fileName, extension = ''] = /^(.+?)((?:\.tar)?\.[A-Za-z0-9]+)$/.exec(fileName) ?? []
  return `${stem}-${formatSourceCode(code)}${extension}`
}
