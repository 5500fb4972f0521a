/** Somebody else's client, as far as the tests use it. Whatever it answers is parsed. */
declare module 'zulip-js' {
  type Parameters = Readonly<Record<string, unknown>>;
  type Call = (parameters?: Parameters) => Promise<unknown>;

  export interface ZulipJs {
    readonly queues: { readonly register: Call };
    readonly events: { readonly retrieve: Call };
    readonly messages: { readonly send: Call; readonly retrieve: Call; readonly flags: { readonly add: Call; readonly remove: Call } };
    readonly streams: { readonly subscriptions: { readonly retrieve: Call } };
    readonly users: { readonly retrieve: Call; readonly me: { readonly getProfile: Call } };
    readonly server: { readonly settings: Call };
    callOnEachEvent(heard: (event: unknown) => void, eventTypes: readonly string[]): Promise<void>;
  }

  export default function zulip(configuration: {
    readonly realm: string;
    readonly username: string;
    readonly password?: string;
    readonly apiKey?: string;
  }): Promise<ZulipJs>;
}
