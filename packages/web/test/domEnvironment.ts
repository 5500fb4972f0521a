import { builtinEnvironments, type Environment } from 'vitest/runtime';

/** These classes are taken from Node, because Node's `fetch` accepts only its own classes. */
const ofNode = [
  'AbortController',
  'AbortSignal',
  'Blob',
  'DOMException',
  'File',
  'FormData',
  'Headers',
  'Request',
  'Response',
  'URL',
  'URLSearchParams',
] as const;

/** The DOM of happy-dom, with the network of Node. */
export default {
  name: 'happy-dom-with-network',
  viteEnvironment: 'client',
  async setup(global, options) {
    const kept = ofNode.map((name) => [name, { value: global[name], writable: true, configurable: true }] as const);
    const environment = await builtinEnvironments['happy-dom'].setup(global, options);
    for (const [name, property] of kept) Object.defineProperty(global, name, property);
    // happy-dom has no user activation. In a test nobody uses the page.
    Object.defineProperty(global.navigator, 'userActivation', { value: { isActive: false, hasBeenActive: false } });
    return environment;
  },
} satisfies Environment;
