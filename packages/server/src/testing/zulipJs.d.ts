/** A third-party client. Its answers are parsed by the caller. */
declare module 'zulip-js' {
  type Parameters = Readonly<Record<string, unknown>>;
  type Call = (parameters?: Parameters) => Promise<unknown>;
  type MessageParameters = Parameters & { readonly message_id: number };
  type StreamParameters = Parameters & { readonly stream_id: number };
  type FlagParameters = { readonly messages: readonly number[]; readonly flag: string };

  export interface ZulipJs {
    readonly config: {
      readonly realm: string;
      readonly username: string;
      readonly apiKey: string;
      readonly apiURL: string;
    };
    readonly accounts: { readonly retrieve: () => Promise<unknown> };
    readonly emojis: { readonly retrieve: Call };
    readonly events: { readonly retrieve: Call };
    readonly filters: { readonly retrieve: Call };
    readonly messages: {
      readonly send: Call;
      readonly retrieve: Call;
      readonly render: (content: string | Parameters) => Promise<unknown>;
      readonly update: (parameters: MessageParameters) => Promise<unknown>;
      readonly getById: (parameters: MessageParameters) => Promise<unknown>;
      readonly getHistoryById: (parameters: MessageParameters) => Promise<unknown>;
      readonly deleteById: (parameters: MessageParameters) => Promise<unknown>;
      readonly deleteReactionById: (parameters: MessageParameters) => Promise<unknown>;
      readonly flags: {
        readonly add: (parameters: FlagParameters) => Promise<unknown>;
        readonly remove: (parameters: FlagParameters) => Promise<unknown>;
      };
    };
    readonly queues: { readonly register: Call; readonly deregister: Call };
    readonly reactions: {
      readonly add: (parameters: MessageParameters) => Promise<unknown>;
      readonly remove: (parameters: MessageParameters) => Promise<unknown>;
    };
    readonly server: { readonly settings: Call };
    readonly streams: {
      readonly retrieve: Call;
      readonly getStreamId: (stream: string | Parameters) => Promise<unknown>;
      readonly deleteById: (parameters: StreamParameters) => Promise<unknown>;
      readonly subscriptions: { readonly retrieve: Call };
      readonly topics: { readonly retrieve: (parameters: StreamParameters) => Promise<unknown> };
    };
    readonly typing: {
      readonly send: (parameters: Parameters & { readonly to: string | readonly number[] }) => Promise<unknown>;
    };
    readonly users: {
      readonly retrieve: Call;
      readonly create: Call;
      readonly me: {
        readonly getProfile: () => Promise<unknown>;
        readonly alertWords: { readonly retrieve: Call };
        readonly pointer: { readonly retrieve: Call; readonly update: (pointer: number) => Promise<unknown> };
        /** `remove` does not encode arrays, so its caller passes JSON. */
        readonly subscriptions: { readonly add: Call; readonly remove: Call };
      };
    };
    readonly callEndpoint: (path: string, method?: string, parameters?: Parameters) => Promise<unknown>;
    readonly callOnEachEvent: (heard: (event: unknown) => void, eventTypes?: readonly string[]) => Promise<void>;
  }

  type Credentials =
    | { readonly password: string; readonly apiKey?: never }
    | { readonly apiKey: string; readonly password?: never };

  /** It keeps its argument as `config` and writes the key into it. */
  export default function zulip(
    configuration: { readonly zuliprc: string } | ({ readonly realm: string; readonly username: string } & Credentials),
  ): Promise<ZulipJs>;
}
