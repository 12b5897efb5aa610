import { openapiDocument } from '../worker/features/openapi/document.ts'

process.stdout.write(`${JSON.stringify(openapiDocument(), null, 2)}\n`)
