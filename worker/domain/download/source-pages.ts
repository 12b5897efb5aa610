import { INSTALL_SCRIPT_PATH } from '#contract/auth-source/limits.ts'
import type { Build, Platform, Versions } from '#contract/download/index.ts'
import { PLATFORMS } from '#contract/download/index.ts'
import { formatSourceCode } from '#domain/auth-source/source.ts'
import { type PlainPage, escapeHtml } from '#domain/site/plain-page.ts'

/* Download page and Linux install script that carry an account's authentication source ID (认证源ID). */

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
  /** Origin of the console that serves the files. */
  readonly origin: string
}

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

/** A text as one word of a POSIX shell. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const HEAD = `#!/bin/sh
# Installs the command-line client. Options: --auth-source <ID> signs in through the auth source of that ID,
# --prefix <folder> installs there instead of /usr/local (root) or ~/.local.
set -eu
`

const NO_BUILD = `${HEAD}
echo '暂未发布Linux命令行客户端' >&2
exit 1
`

/**
 * Downloads the build, one file for Node.js, compares its digest, and installs it with a command that names the service.
 */
export function installScript(origin: string, build: Build | null): string {
  if (build === null) return NO_BUILD
  return `${HEAD}
server=${quote(origin)}
address=${quote(`${origin}${build.src}`)}
sha256=${quote(build.sha256)}
${BODY}`
}

const BODY = `
fail() {
  echo "$1" >&2
  exit 1
}

code=''
prefix=''
while [ $# -gt 0 ]; do
  case $1 in
    --auth-source) [ $# -ge 2 ] || fail '--auth-source 后请填写认证源ID'; code=$2; shift 2 ;;
    --auth-source=*) code=\${1#*=}; shift ;;
    --prefix) [ $# -ge 2 ] || fail '--prefix 后请填写目录'; prefix=$2; shift 2 ;;
    --prefix=*) prefix=\${1#*=}; shift ;;
    *) fail "无法识别的参数：$1" ;;
  esac
done
if [ -n "$code" ]; then
  printf '%s\\n' "$code" | grep -Eq '^[0-9A-Za-z]{4}-?[0-9A-Za-z]{4}$' || fail '认证源ID不正确，请核对后重试'
fi
if [ -z "$prefix" ]; then
  if [ "$(id -u)" = 0 ]; then prefix=/usr/local; else prefix=$HOME/.local; fi
fi

command -v node >/dev/null 2>&1 || fail '请先安装Node.js 22或更高版本'
[ "$(node -p 'Number(process.versions.node.split(".")[0]) >= 22')" = true ] || fail '请先将Node.js升级到22或更高版本'
command -v sha256sum >/dev/null 2>&1 || fail '缺少sha256sum，请安装coreutils'

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
if command -v curl >/dev/null 2>&1; then
  curl -fsSL -o "$folder/client.mjs" "$address" || fail '下载失败，请检查网络后重试'
elif command -v wget >/dev/null 2>&1; then
  wget -q -O "$folder/client.mjs" "$address" || fail '下载失败，请检查网络后重试'
else
  fail '请先安装curl或wget'
fi
printf '%s  %s\\n' "$sha256" "$folder/client.mjs" | sha256sum -c - >/dev/null 2>&1 || fail '安装包校验失败，请重新下载'

mkdir -p "$prefix/lib/netloom" "$prefix/bin"
mv "$folder/client.mjs" "$prefix/lib/netloom/client.mjs"
chmod 644 "$prefix/lib/netloom/client.mjs"
cat >"$folder/command" <<END
#!/bin/sh
state=\\\${NETLOOM_STATE:-\\$HOME/.local/state/netloom}
mkdir -p "\\$state"
exec node "$prefix/lib/netloom/client.mjs" client --server "$server" --state "\\$state" \${code:+--auth-source "$code"} "\\$@"
END
mv "$folder/command" "$prefix/bin/netloom-client"
chmod 755 "$prefix/bin/netloom-client"

echo "已安装：$prefix/bin/netloom-client"
if [ -n "$code" ]; then
  echo '运行该命令，并在浏览器中打开显示的地址完成登录'
else
  echo '登录：netloom-client --name <账号@后缀>'
fi
`
