// `npm start`: builds what is missing or stale and starts the product.
import { runBuilt } from './withNode.mjs';

await runBuilt(import.meta.filename, ({ build }) => build(), 'server.mjs');
