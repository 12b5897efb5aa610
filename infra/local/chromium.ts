import { accessSync, constants } from 'node:fs'
import { run } from './run.ts'

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/opt/google/chrome/chrome']

/** Path of a Chromium; installs Debian's, with Chinese fonts, where this is root. Throws with what to install otherwise. */
export async function findChromium(): Promise<string> {
  const found = installed()
  if (found) return found
  if (process.getuid?.() === 0) {
    process.stdout.write('Installing chromium and Chinese fonts …\n')
    await run('apt-get', ['update', '-qq'])
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-noto-cjk'])
    const now = installed()
    if (now) return now
  }
  throw new Error(
    'The browser suite needs Chromium and a Chinese font: apt-get install chromium fonts-noto-cjk, or set CHROMIUM.',
  )
}

function installed(): string | undefined {
  return [process.env['CHROMIUM'], ...PLACES].find((path) => path && isExecutable(path))
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
