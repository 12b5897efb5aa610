import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import './client.css'

/* Entry script of the page on which software members get their profiles. It has nothing of the console. */

const element = document.getElementById('root')
if (element === null) throw new Error('client.html has no #root')
createRoot(element).render(<App />)
