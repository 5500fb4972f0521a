export { parseZulip } from '@engawa/markup/dialects';
