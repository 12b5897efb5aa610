import { createRoot } from 'react-dom/client'
import { App, startRouter } from './app/app.tsx'
import { bootstrap } from './app/bootstrap.ts'
import { LoadingScreen } from './app/layouts/loading-screen.tsx'
import { applyStyles } from './app/start-styles.ts'
import { ApiError } from './lib/call/transport.ts'
import './theme.css'
import './ui/layout/text/text.css'

/* Entry script of the console: loading screen, bootstrap, then the app. */

/** Ignores unhandled rejections of `call`, which has shown the error already. */
addEventListener('unhandledrejection', (event) => {
  if (event.reason instanceof ApiError) event.preventDefault()
})

const element = document.getElementById('root')
if (element === null) throw new Error('index.html has no #root')
// Without StrictMode: it warns about the component library's findDOMNode at every dialog.
const root = createRoot(element)
const styled = applyStyles()
void styled.then(() => root.render(<LoadingScreen />))
void Promise.all([bootstrap(), styled]).then(() => root.render(<App router={startRouter(import.meta.url)} />))
