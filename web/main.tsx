import { createRoot } from 'react-dom/client'
import { z } from 'zod'
import { App, preload } from './app/app.tsx'
import { arrive } from './app/arrival.ts'
import { startBrand } from './lib/brand.ts'
import { renewSession } from './lib/session.ts'
import { ToastHost } from './lib/toast-host.tsx'
import { showKept } from './lib/toast.ts'
import { ApiError } from './lib/transport.ts'
import { ConfirmHost } from './ui/confirm.tsx'
import { quietIcons } from './ui/quiet-icons.ts'
import { startTheme } from './ui/theme.ts'
import './theme.css'
import './ui/text.css'

void renewSession() // first of all: it travels while the chunks of the page do
preload()
z.config({ jitless: true }) // the page's policy forbids eval, and a mere probe of it is reported

quietIcons()
startTheme()
startBrand()
showKept()
void arrive()

/** `call` has shown it; whoever started the call had nothing to add. */
addEventListener('unhandledrejection', (event) => {
  if (event.reason instanceof ApiError) event.preventDefault()
})

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')
// Without StrictMode: the component library asks for DOM nodes in a way that it reports at every dialog.
createRoot(root).render(
  <>
    <App />
    <ConfirmHost />
    <ToastHost />
  </>,
)
