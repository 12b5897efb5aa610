import { installPackages } from './network-tools.ts'
import { isExecutable } from './processes.ts'

/* Finds or installs a Chromium for tests, benches and screenshots. */

/** Chromium without windows: the same engine as the whole browser in headless mode, with half its processor time. */
const SHELL = '/usr/bin/chromium-headless-shell'
const BROWSERS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/opt/google/chrome/chrome',
]

/**
 * Path of a Chromium, preferably the one without windows. As root, installs that of Debian with Chinese fonts. Otherwise
 * throws with the packages to install.
 */
export async function findChromium(): Promise<string> {
  const shell = findExecutable([process.env['CHROMIUM'], SHELL])
  if (shell) return shell
  if (process.getuid?.() === 0) {
    process.stdout.write('Installing chromium-headless-shell and Chinese fonts …\n')
    await installPackages(['chromium-headless-shell', 'fonts-noto-cjk'])
  }
  const found = findExecutable([SHELL, ...BROWSERS])
  if (found) return found
  throw new Error(
    'The browser suite needs Chromium and a Chinese font: apt-get install chromium-headless-shell fonts-noto-cjk, or set CHROMIUM.',
  )
}

const findExecutable = (paths: readonly (string | undefined)[]): string | undefined =>
  paths.find((path) => path !== undefined && isExecutable(path))
