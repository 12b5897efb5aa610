/** Stands in for zod's JSON Schema writers in the bundle (vite.config.ts): the Worker writes the OpenAPI document. */
const none = () => undefined
export { none as createStandardJSONSchemaMethod, none as createToJSONSchemaMethod, none as toJSONSchema }
