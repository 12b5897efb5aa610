const NAME_MAX = 100

/** A file's name without its folders and without what cannot be seen or turns the text around; never empty. */
export function toFileName(name: string): string {
  const base = name.split(/[/\\]/).at(-1) ?? ''
  const visible = base
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, '')
    .replace(/[<>:"|?*]/g, '_')
    .trim()
  const [, stem = visible, extension = ''] = /^(.*?)(\.[a-z]{1,10})?$/is.exec(visible) ?? []
  return `${[...(stem || 'file')].slice(0, NAME_MAX - extension.length).join('')}${extension.toLowerCase()}`
}
