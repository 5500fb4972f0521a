import { onTestFinished } from 'vitest';
import { connect, type Connection, type ConnectionOptions } from '../src/connection.ts';
import { serve, type Answer, type ScriptedServer } from './scriptedServer.ts';

/** A connection of Ai to a scripted server, which is closed after the test. */
export async function eg(
  answers: readonly Answer[] = [],
  options: Omit<ConnectionOptions, 'realm'> = {},
): Promise<{ readonly server: ScriptedServer; readonly connection: Connection }> {
  const server = await serve(...answers);
  onTestFinished(() => server.close());
  const ai = { username: 'ai@engawa.example', apiKey: 'k'.repeat(32) };
  const connection = connect({ realm: `${server.site}/`, ...ai, ...options });
  return { server, connection };
}
