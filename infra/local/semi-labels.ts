import type { Plugin } from 'vite'

/** Names for screen readers that Semi has in English only, outside its locale: module, its words, ours. */
const LABELS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'select/index.js': { '"Use the input box to create an optional item"': '"添加输入的选项"' },
  'tag/index.js': { "'Closable '": "'可移除的'", '}Tag: $': '}标签：$' },
}

/** Puts ours in their place; a version of Semi that has them no longer fails the build. */
export const semiLabels: Plugin = {
  name: 'semi-labels',
  transform: {
    filter: { id: /@douyinfe\/semi-ui\/lib\/es\/(select|tag)\// },
    handler(code, id) {
      const [, module = ''] = /\/lib\/es\/([^?]+)/.exec(id) ?? []
      let translated = code
      for (const [english, chinese] of Object.entries(LABELS[module] ?? {})) {
        if (!translated.includes(english)) this.error(`${module} has no label ${english}`)
        translated = translated.replaceAll(english, () => chinese)
      }
      return { code: translated, map: null }
    },
  },
}
