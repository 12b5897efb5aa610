import * as z from 'zod'
import { createInputSentence } from '#contract/kernel/input/input-sentence.ts'
import { signInByLink } from '#pages/login/sign-in-by-link.ts'
import { afterSignIn } from '#lib/session/after-sign-in.ts'
import { CLAIM_PAGE, CLAIM_PATH, keepClaim } from '#lib/claim-link.ts'
import { startBrand } from '#lib/session/brand.ts'
import { endSession, expectSignIn, knownSession, renewSession } from '#lib/session/session.ts'
import { showFlashToast } from '#lib/toast/toast.ts'
import { hideIconsFromScreenReaders } from '#ui/layout/buttons/decorative-icons.tsx'
import { startTheme } from '#ui/layout/theme.ts'
import { loginAddress } from './guard.ts'

/** Steps before the router exists: session restore, theme, brand, token link in the address. */
export async function bootstrap(): Promise<void> {
  resolveClaim()
  void renewSession() // in parallel with everything else
  z.config({ customError: createInputSentence() })
  hideIconsFromScreenReaders()
  startTheme()
  startBrand()
  showFlashToast()
  await resolveEntry()
}

/** Takes serial and code of a box's link out of the address bar, before any request is sent. */
function resolveClaim(): void {
  if (location.pathname !== CLAIM_PATH) return
  keepClaim(location.hash)
  history.replaceState(null, '', CLAIM_PAGE)
}

/**
 * Exchanges the token of a link (account 4), on any page. This happens before the router is created, so a token is read
 * once and no guard sees one.
 */
async function resolveEntry(): Promise<void> {
  const query = new URLSearchParams(location.search)
  const token = query.get('token')
  if (token === null) return
  query.delete('token')
  history.replaceState(null, '', loginAddress(location.pathname, query.toString())) // before any request is sent
  expectSignIn()
  if ((await knownSession()).status === 'signed-in') await endSession()
  if (await signInByLink(token)) history.replaceState(null, '', afterSignIn(location.search))
}
