/** Stands in for Ink's devtools in the bundle: they are never connected, but their import would be hoisted. */
const devtools = { initialize: (): void => undefined, connectToDevTools: (): void => undefined };

export default devtools;
