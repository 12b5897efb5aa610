import { INSTALL_SCRIPT_PATH } from '#contract/auth-source/limits.ts'
import type { Build, Platform, Versions } from '#contract/download/index.ts'
import { PLATFORMS } from '#contract/download/index.ts'
import { formatSourceCode } from '#domain/auth-source/source-code.ts'
import { escapeHtml } from '#domain/site/escape-html.ts'
import type { PlainPage } from '#domain/site/plain-page.ts'

const PLATFORM_NAME: Readonly<Record<Platform, string>> = {
  windows: 'Windows',
  macOS: 'macOS',
  android: 'Android',
  iOS: 'iOS',
  linux: 'Linux',
  harmonyos: 'HarmonyOS',
}

const ABSENT = '<span>暂未发布</span>'

interface Source {
  readonly code: string
  /** Of the console that has the files. */
  readonly origin: string
}

/** Builds whose names, and the script whose arguments, carry an account's source ID. */
export function sourcePage(versions: Versions, source: Source): PlainPage {
  const shown = formatSourceCode(source.code)
  const rows = PLATFORMS.map((platform) => {
    const body = platform === 'linux' ? linux(versions, source) : link(versions[platform], source)
    return `<li><strong>${PLATFORM_NAME[platform]}</strong> ${body}</li>`
  })
  return {
    title: '下载客户端',
    body: `<p>认证源ID：<code>${shown}</code></p>
<p>从本页下载的客户端已包含认证源ID，安装后直接选择企业微信、飞书或钉钉登录，请勿修改安装包的文件名。</p>
<ul>
${rows.join('\n')}
</ul>`,
  }
}

/** Download address that puts the ID into the file name. */
const sourceDownload = ({ src }: Build, { code, origin }: Source): string =>
  `${origin}${src}&source=${formatSourceCode(code)}`

const link = (build: Build | null, source: Source): string =>
  build === null
    ? ABSENT
    : `<a href="${escapeHtml(sourceDownload(build, source))}">下载 ${escapeHtml(build.version)}</a>`

function linux({ linux: { panel, command } }: Versions, source: Source): string {
  const panels = [...new Map(Object.values(panel).flatMap((build) => (build ? [[build.src, build]] : []))).values()]
  const hasCommand = Object.values(command).some((build) => build !== null)
  if (panels.length === 0 && !hasCommand) return ABSENT
  const links = panels.map((build) => `<p>图形面板（${escapeHtml(build.name)}）：${link(build, source)}</p>`)
  const line = `curl -fsSL ${source.origin}${INSTALL_SCRIPT_PATH} | sh -s -- --auth-source ${formatSourceCode(source.code)}`
  return `${links.join('')}${hasCommand ? `<p>命令行：</p><pre>${escapeHtml(line)}</pre>` : ''}`
}
