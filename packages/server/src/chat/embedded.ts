import { type ChatServer, type ChatServerOptions, createChatServer } from '@engawa/chat-server';
import { inTurns } from '@engawa/chat-server/parts';
import { getServerSettings } from '@engawa/client';
import { type Capability, isCapability } from '@engawa/protocol/product';
import type { ChatBackend, Directory, OrganisationDirectory } from './backend.ts';
import { connectionsTo } from './connections.ts';

interface EmbeddedBackend extends ChatBackend {
  readonly directory: Directory;
}

/** Abilities of the product that need the chat server in the same process. */
const ofProduct: readonly Capability[] = [
  'accounts',
  'stores_messages',
  'guest_sight',
  'session_keys',
  'departments',
  'all_streams',
  'file_narrow',
  'built_in_pictures',
  'department_mentions',
  'realm_settings',
  'bots',
  'server_status',
  'hooks',
  'outgoing_hooks',
  'call_events',
];

/** Our chat server, in this process. */
export function embeddedBackend(options: ChatServerOptions): EmbeddedBackend {
  return backendOf(createChatServer(options));
}

function backendOf(chat: ChatServer): EmbeddedBackend {
  const { accounts } = chat;
  const connectAs = connectionsTo(chat.fetch);
  return {
    request: chat.fetch,
    async capabilities() {
      const { server_extensions = [] } = await getServerSettings(connectAs(), {});
      return [...server_extensions.filter(isCapability), ...ofProduct];
    },
    sightOf: async ({ id }) => chat.guestSight(id),
    keys: {
      accountOf: accounts.of,
      keyId: accounts.keyId,
      end: (userId, browsers) => accounts.endKeys(userId, { browsers }),
      renew: undefined,
    },
    sentFiles: {
      messagesOfFile: chat.messagesOfFile,
      isFileScheduled: chat.isFileScheduled,
      // The server's own index finds them.
      expect: () => Promise.resolve(),
      note: () => Promise.resolve(),
    },
    conversations: {
      ...chat.calls,
      // The other functions look into the database.
      ask: () => Promise.resolve(),
      askWhoCanAnswer: () => Promise.resolve(),
      marksMessages: true,
      announce: ({ id }, ...announcement) => chat.calls.announce(id, ...announcement),
    },
    pictures: { storedBy: 'product', sees: chat.seesPicture, set: chat.setAvatar },
    openFile: undefined,
    // The server itself checks the actor's role in the transaction.
    directoryAs: async () => directoryOf(chat),
    directory: chat,
    hooks: chat.hooks,
    outgoingHooks: chat.outgoingHooks,
    async probe() {
      chat.isEmpty();
      await chat.probe();
    },
    warmUp: chat.warmUp,
    measure: chat.measure,
    stopPolls: chat.stopPolls,
    close: chat.close,
  };
}

export function directoryOf(chat: ChatServer): OrganisationDirectory {
  return {
    managesPeople: true,
    overview: (request) => inTurns(chat.overview(request)),
    takenNames: chat.takenNames,
    chooseNames: async (namings, ended) => chat.chooseNames(namings, ended),
    // Its own streams have no such limit.
    rehearse: () => Promise.resolve(),
    reorganise: chat.reorganise,
    publishDirectory: chat.publishDirectory,
  };
}
